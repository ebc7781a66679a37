import type { RouteName } from '../contract/routes.ts'

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Quantities of one market with the names under which answers carry them. Nested fields that do
 * not name a market of their own are joined by dots.
 */
export const QUANTITIES: Readonly<Record<string, readonly string[]>> = {
  title: ['title', 'marketTitle'],
  subtitle: ['subtitle'],
  description: ['description'],
  eventId: ['eventId'],
  seriesId: ['seriesId'],
  topics: ['topics'],
  venue: ['venue'],
  status: ['status'],
  result: ['result'],
  category: ['category'],
  eventTitle: ['eventTitle'],
  slug: ['slug'],
  sample: ['sample'],
  pageUrl: ['pageUrl'],
  apiUrl: ['apiUrl'],
  inspectUrl: ['inspectUrl'],
  price: ['price', 'marketPrice'],
  bestBid: ['bestBid', 'bid'],
  bestAsk: ['bestAsk', 'ask'],
  spread: ['spread'],
  lastPrice: ['lastPrice', 'last'],
  change24h: ['change24h'],
  volume: ['volume'],
  volume24h: ['volume24h', 'vol24h'],
  volumeUnit: ['volumeUnit'],
  openInterest: ['openInterest'],
  liquidityScore: ['liquidityScore'],
  openTime: ['openTime'],
  closeTime: ['closeTime'],
  tauDays: ['tauDays', 'tenorDays', 'indicators.tauDays'],
  updatedAt: ['updatedAt'],
  regimeLabel: ['regimeLabel', 'regime.label'],
  asScore: ['asScore', 'regime.asScore'],
  trendLabel: ['trendLabel', 'regime.trendLabel'],
  iy: ['iy', 'indicators.iy', 'indicators.iyYes'],
  iyNo: ['indicators.iyNo'],
  adjIy: ['indicators.adjIy'],
  cri: ['cri', 'indicators.cri'],
  las: ['indicators.las'],
  cvr: ['indicators.cvr'],
  ee: ['indicators.ee'],
  iar: ['indicators.iar'],
  expectedVr: ['indicators.expectedVr'],
  daysToEvent: ['indicators.daysToEvent'],
  hasThesis: ['indicators.hasThesis'],
  hasOrderbook: ['indicators.hasOrderbook'],
  lastComputedAt: ['indicators.lastComputedAt'],
  regimeComputedAt: ['regime.computedAt'],
  tau: ['indicators.tau'],
  overround: ['indicators.overround'],
  rv: ['rv', 'indicators.rv'],
  vr: ['vr', 'volumeZ', 'indicators.vr'],
  residualVr: ['residualVr', 'indicators.residualVr'],
}

/** Fields that several answers give of a market and that are not quantities of the market. */
export const OTHER_FIELDS: Readonly<Record<string, string>> = {
  ticker: 'names the market',
  id: 'of the entry',
  url: 'of the entry',
  at: 'of the entry',
  type: 'of the entry',
  kind: 'of the entry',
  rank: 'in its list',
  priceUnit: 'of the answer',
  nextBefore: 'of the page',
  event: 'of the delivery',
  channel: 'of the delivery',
  endpointId: 'of the delivery',
  ruleId: 'of the delivery',
  attempts: 'of the delivery',
  nextAttemptAt: 'of the delivery',
  lastStatus: 'of the delivery',
  lastError: 'of the delivery',
  test: 'of the delivery',
  replayOf: 'of the delivery',
  message: 'of the delivery',
  createdAt: 'of the delivery',
  finishedAt: 'of the delivery',
  gaps: 'of the recording',
  trades: 'of the page',
  score: 'in its list',
  matched: 'by the query',
  differs: 'from the query',
  summary: 'of the entry',
  label: 'of the entry; of the regime scan, see LABELLED',
  delta: 'over the window of its list',
  delta24h: 'of the headline or of its question',
  from: 'of the window of its list',
  direction: 'of an edge or idea',
  confidence: 'of a pair or edge',
  gap: 'between two markets',
  thesisSlug: 'of an edge',
  edges: 'lists of theses',
  crossVenue: 'markets of their own, compared as such',
  closeDeltaDays: 'between two markets',
  method: 'of a pair',
  inverted: 'of a pair',
  suspect: 'of a pair',
  'regime.signals': 'in two forms: quantities, and their effects',
  'indicators.eeSource': 'always of a thesis',
  asOf: 'of the row',
  count: 'of the answer',
  quantity: 'of the position',
  avgPrice: 'of the position',
  unrealizedPnlCents: 'of the position',
  thesisId: 'of the position or edge',
  signalType: 'of an opportunity',
  yieldPct: 'of an opportunity',
  alreadyPositioned: 'of the requester',
  currentPositionSize: 'of the requester',
  currentPositionDirection: 'of the requester',
  deviation: 'from its group',
  before: 'of a change',
  after: 'of a change',
  role: 'in an idea',
  bidLevels: 'as deep as requested',
  askLevels: 'as deep as requested',
  timeframe: 'of bars',
  candles: 'bars',
  bars: 'of quotes or of books',
  trend: 'of technicals',
  momentum: 'of technicals',
  breakout: 'of technicals',
  strength: 'of a link, or of technicals',
  heat: 'of the data service',
  generated_at: 'of the answer',
  ts: 'of the quote, Unix milliseconds',
  partial: 'of a bar',
}

const NAMES = new Map(
  Object.entries(QUANTITIES).flatMap(([quantity, names]) => names.map((name) => [name, quantity])),
)

/** A field of a market in the schema of an answer. */
export interface Place {
  readonly route: string
  /** Path of the object that names a market, such as `markets[]`. */
  readonly path: string
  readonly field: string
}

/** The fields that the answer of a route gives of markets, from its schema. */
export function placesOf(route: RouteName, schema: unknown): Place[] {
  const places: Place[] = []
  const visit = (value: unknown, path: string): void => {
    if (!isRecord(value)) return
    for (const branch of [value['anyOf'], value['allOf']]) {
      if (Array.isArray(branch)) for (const one of branch) visit(one, path)
    }
    if (value['items'] !== undefined) visit(value['items'], `${path}[]`)
    const properties = value['properties']
    if (!isRecord(properties)) return
    const isMarket = isRecord(properties['ticker'])
    for (const [name, property] of Object.entries(properties)) {
      if (isMarket) {
        const inner = ownFields(property)
        const fields = inner === null ? [name] : inner.map((field) => `${name}.${field}`)
        for (const field of fields) places.push({ route, path, field })
      }
      visit(property, path === '' ? name : `${path}.${name}`)
    }
  }
  visit(schema, '')
  return places
}

/** Fields of an object schema that names no market; null for other schemas. */
function ownFields(schema: unknown): string[] | null {
  if (!isRecord(schema)) return null
  const branches = (Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]) as unknown[]
  const object = branches.find((branch) => isRecord(branch) && isRecord(branch['properties']))
  if (!isRecord(object) || !isRecord(object['properties'])) return null
  const names = Object.keys(object['properties'])
  return names.includes('ticker') ? null : names
}

/** Places where a name means something else than elsewhere. */
const OTHER_MEANINGS = new Set([
  'GET /api/public/market/:ticker/candles volumeUnit',
  'GET /v1/trades/:ticker price',
])

/** The value of one quantity of a market, or of a gauge, in an answer at one instant. */
export interface Claim {
  /** Ticker of the market, or the region of a gauge. */
  readonly subject: string
  /** ISO time of the data. */
  readonly at: string
  readonly quantity: string
  /** JSON of the value, in the units of the main service. */
  readonly value: string
  /** Place in the answer. */
  readonly place: string
}

/** Prices of the data service are probabilities, and its times Unix seconds. */
function inMainUnits(quantity: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (quantity === 'closeTime') return new Date(value * 1_000).toISOString()
  const isPrice = ['bestBid', 'bestAsk', 'lastPrice'].includes(quantity)
  return isPrice ? Math.round(value * 10_000) / 100 : value
}

const GAUGES = ['disagreement', 'geoRisk', 'breadth', 'activity'] as const
/** Differences of gauges between two instants. */
const GAUGE_CHANGES = new Set([
  'GET /api/agent/world/delta indexDelta',
  'GET /api/public/diff index',
])

/**
 * The instant of an answer: the one that it states, else the requested one. Lists that are
 * recomputed every quarter hour state an earlier one than requested.
 */
export function instantOfAnswer(body: unknown, requested: string): string {
  if (!isRecord(body)) return requested
  const meta = isRecord(body['meta']) ? body['meta'] : {}
  const { asOf, generatedAt, timestamp, to } = body
  const instants = [asOf, meta['ts'], generatedAt, timestamp, to]
  return instants.find((one): one is string => typeof one === 'string') ?? requested
}

/** Every claim of an answer about markets and gauges, at any depth. */
export function claimsOf(
  route: string,
  body: unknown,
  context: { readonly requested: string; readonly region: string },
): Claim[] {
  const claims: Claim[] = []
  const isData = route.startsWith('GET /v1')
  const instant = isData ? context.requested : instantOfAnswer(body, context.requested)
  const claim = (subject: string, at: string, quantity: string, value: unknown, place: string) =>
    claims.push({ subject, at, quantity, value: JSON.stringify(value), place })

  const takeField = (ticker: string, at: string, name: string, value: unknown, place: string) => {
    const isLabelOfScan = name === 'label' && route === 'GET /api/public/regime/scan'
    const quantity = isLabelOfScan ? 'regimeLabel' : NAMES.get(name)
    if (quantity === undefined || OTHER_MEANINGS.has(`${route} ${name}`)) return
    claim(ticker, at, quantity, isData ? inMainUnits(quantity, value) : value, place)
  }
  const takeMarket = (market: Json, ticker: string, path: string): void => {
    const at = typeof market['asOf'] === 'string' ? market['asOf'] : instant
    for (const [name, property] of Object.entries(market)) {
      const place = `${route} ${path}.${name}`
      takeField(ticker, at, name, property, place)
      if (!isRecord(property) || property['ticker'] !== undefined) continue
      for (const [inner, one] of Object.entries(property)) {
        takeField(ticker, at, `${name}.${inner}`, one, `${place}.${inner}`)
      }
    }
  }
  const takeGauges = (gauges: Json, path: string): void => {
    if (GAUGE_CHANGES.has(`${route} ${path}`)) return
    const at = typeof gauges['at'] === 'string' ? gauges['at'] : instant
    for (const gauge of [...GAUGES, 'value', 'delta24h']) {
      const known = gauges[gauge]
      if (known !== undefined) claim(context.region, at, gauge, known, `${route} ${path}.${gauge}`)
    }
  }
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, `${path}[]`)
    if (!isRecord(value)) return
    const { ticker } = value
    if (typeof ticker === 'string') takeMarket(value, ticker, path)
    if (GAUGES.every((gauge) => gauge in value)) takeGauges(value, path)
    for (const [name, property] of Object.entries(value)) {
      visit(property, path === '' ? name : `${path}.${name}`)
    }
  }
  visit(body, '')
  return claims
}

/** The contradictions among claims about the same thing at the same instant, one line each. */
export function contradictionsIn(claims: readonly Claim[]): string[] {
  const groups = Map.groupBy(
    claims,
    ({ subject, quantity, at }) => `${quantity} of ${subject} at ${at}`,
  )
  return [...groups].flatMap(([what, group]) => {
    const byValue = Map.groupBy(group, ({ value }) => value)
    if (byValue.size === 1) return []
    const descriptions = [...byValue].map(([value, same]) => {
      const places = [...new Set(same.map(({ place }) => place))]
      return `${value} in ${places.slice(0, 3).join(', ')}${places.length > 3 ? ', …' : ''}`
    })
    return [`${what}: ${descriptions.join('; ')}`]
  })
}
