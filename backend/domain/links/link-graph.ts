import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Ticker } from '../market.ts'
import { candidatePairs } from '../pairing/blocking.ts'
import type { Fingerprint } from '../pairing/fingerprint.ts'
import type { MarketPair } from '../pairing/pairs.ts'
import { PAIRING_PARAMS } from '../pairing/params.ts'
import { titleWeights } from '../pairing/title-weights.ts'
import type { LeadLag } from './lead-lag.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'
import { seriesStem } from './series-stem.ts'

/** Kinds of links, strongest first. */
export const LINK_KINDS = [
  'cross_venue',
  'same_event_exclusive',
  'ladder',
  'series_sibling',
  'thematic',
  'lead_lag',
] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** The fields of a live market that the graph uses. */
export interface LinkMarket {
  readonly fingerprint: Fingerprint
  readonly title: string
  readonly seriesId: string | null
  /** At most one market of the event ends YES. */
  readonly exclusive: boolean
  readonly liquidity: LiquidityScore
}

/** An undirected link of two markets; `i` is the lesser ticker. */
export interface MarketLink {
  readonly i: Ticker
  readonly j: Ticker
  readonly kind: LinkKind
  /** +1 when the two move together, −1 when they move in opposite directions. */
  readonly sign: 1 | -1
  /**
   * Prior response, cents per cent, signed; null for exclusive outcomes, whose response follows
   * from their prices.
   */
  readonly priorBeta: number | null
  readonly confidence: number
}

type Draft = Omit<MarketLink, 'i' | 'j'> & { readonly from: LinkMarket; readonly to: LinkMarket }

const tickerOf = (market: LinkMarket): Ticker => market.fingerprint.ticker
const byTicker = (a: LinkMarket, b: LinkMarket): number => (tickerOf(a) < tickerOf(b) ? -1 : 1)

function groupMarkets(
  markets: readonly LinkMarket[],
  keyOf: (market: LinkMarket) => string | null,
): Map<string, LinkMarket[]> {
  const groups = new Map<string, LinkMarket[]>()
  for (const market of markets) {
    const key = keyOf(market)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [market])
    else group.push(market)
  }
  return groups
}

const signOf = (a: LinkMarket, b: LinkMarket): 1 | -1 => {
  const [left, right] = [a.fingerprint.direction, b.fingerprint.direction]
  return left !== null && right !== null && left !== right ? -1 : 1
}

/** Links each outcome to the most liquid other outcomes of its exclusive event. */
function exclusiveLinks(markets: readonly LinkMarket[], params: LinkParams): Draft[] {
  const confidence = params.confidence.same_event_exclusive
  const events = groupMarkets(markets, (market) => (market.exclusive ? eventKey(market) : null))
  return [...events.values()].flatMap((outcomes) => {
    const liquid = [...outcomes].sort(
      (a, b) => LIQUIDITY_WEIGHTS[b.liquidity] - LIQUIDITY_WEIGHTS[a.liquidity] || byTicker(a, b),
    )
    const nearest = liquid.slice(0, params.neighbours + 1)
    return outcomes.flatMap((from) =>
      nearest.flatMap((to): Draft[] =>
        from === to
          ? []
          : [{ from, to, kind: 'same_event_exclusive', sign: -1, priorBeta: null, confidence }],
      ),
    )
  })
}

const eventKey = ({ fingerprint }: LinkMarket): string =>
  `${fingerprint.venue} ${fingerprint.eventId}`

/**
 * Position of a market on its event's ladder: its strike, otherwise its deadline; null when it has
 * none.
 */
function rungOf({ fingerprint }: LinkMarket): number | null {
  if (fingerprint.comparator === 'range') return null
  const [strike, ...otherStrikes] = fingerprint.strikes
  if (strike !== undefined) return otherStrikes.length === 0 ? strike : null
  return fingerprint.time.bound === 'by' ? fingerprint.time.day : null
}

/** Links adjacent rungs of strikes or dates in one event. */
function ladderLinks(markets: readonly LinkMarket[], params: LinkParams): Draft[] {
  const draft = (from: LinkMarket, to: LinkMarket): Draft => {
    const sign = signOf(from, to)
    const priorBeta = sign * params.priorBeta.ladder
    return { from, to, kind: 'ladder', sign, priorBeta, confidence: params.confidence.ladder }
  }
  return [...groupMarkets(markets, eventKey).values()].flatMap((event) => {
    const rungs = event
      .map((market) => ({ market, rung: rungOf(market) }))
      .filter((entry): entry is { market: LinkMarket; rung: number } => entry.rung !== null)
      .sort((a, b) => a.rung - b.rung || byTicker(a.market, b.market))
    return rungs.slice(1).flatMap(({ market, rung }, index) => {
      const lowerRung = rungs[index]
      return lowerRung === undefined || lowerRung.rung === rung
        ? []
        : [draft(lowerRung.market, market)]
    })
  })
}

/** Links a question to the nearest other periods of its series. */
function seriesLinks(markets: readonly LinkMarket[], params: LinkParams): Draft[] {
  const stems = groupMarkets(markets, (market) => {
    const series = market.seriesId ?? seriesStem(market.title)
    const { venue, strikes, subject } = market.fingerprint
    return series === ''
      ? null
      : [venue, series, strikes.join(' '), (subject ?? []).join(' ')].join('|')
  })
  const periodOf = ({ fingerprint }: LinkMarket): number | null =>
    fingerprint.time.day ?? fingerprint.closeTime
  return [...stems.values()].flatMap((series) => {
    const periods = series
      .map((market) => ({ market, period: periodOf(market) }))
      .filter((entry): entry is { market: LinkMarket; period: number } => entry.period !== null)
      .sort((a, b) => a.period - b.period || byTicker(a.market, b.market))
    return periods.flatMap(({ market: from, period }, index) =>
      periods.slice(index + 1, index + 1 + params.seriesReach).flatMap((laterPeriod): Draft[] => {
        if (laterPeriod.period === period) return []
        const to = laterPeriod.market
        const sign = signOf(from, to)
        const priorBeta = sign * params.priorBeta.series_sibling
        const confidence = params.confidence.series_sibling
        return [{ from, to, kind: 'series_sibling', sign, priorBeta, confidence }]
      }),
    )
  })
}

/**
 * Links markets of one theme that share names or words; candidates come from blocking, not from
 * all pairs.
 */
function thematicLinks(markets: readonly LinkMarket[], params: LinkParams): Draft[] {
  const prints = markets.map(({ fingerprint }) => fingerprint)
  const weights = titleWeights(prints.map(({ terms }) => terms))
  // A market finds itself too, so one more candidate is requested.
  const blocking = { ...PAIRING_PARAMS, candidates: params.neighbours + 1, closeDays: Infinity }
  return candidatePairs(prints, prints, weights, blocking).flatMap(({ a, b, cosine }): Draft[] => {
    const [from, to] = [markets[a], markets[b]]
    if (from === undefined || to === undefined || from === to) return []
    const [left, right] = [from.fingerprint, to.fingerprint]
    if (left.theme !== right.theme) return []
    const sharedEntities = left.entities.filter((entity) => right.entities.includes(entity)).length
    if (sharedEntities < params.thematicEntities && cosine < params.thematicCosine) return []
    const priorBeta = params.priorBeta.thematic
    const confidence = params.confidence.thematic
    return [{ from, to, kind: 'thematic', sign: 1, priorBeta, confidence }]
  })
}

/** Sources of links besides the markets themselves. */
export interface LinkSources {
  readonly pairs: readonly Pick<MarketPair, 'a' | 'b' | 'confidence' | 'inverted'>[]
  readonly leadLags: readonly LeadLag[]
}

function discoverLinks(
  markets: readonly LinkMarket[],
  { pairs, leadLags }: LinkSources,
  params: LinkParams,
): Draft[] {
  const marketByTicker = new Map(markets.map((market) => [tickerOf(market), market]))
  const linkedMarkets = (
    first: Ticker,
    second: Ticker,
  ): readonly [LinkMarket, LinkMarket] | null => {
    const [from, to] = [marketByTicker.get(first), marketByTicker.get(second)]
    return from === undefined || to === undefined ? null : [from, to]
  }
  const crossVenueLinks = pairs.flatMap(({ a, b, confidence, inverted }): Draft[] => {
    const pairOfMarkets = linkedMarkets(a, b)
    if (pairOfMarkets === null || confidence < params.pairConfidence) return []
    const sign = inverted ? -1 : 1
    const priorBeta = sign * params.priorBeta.cross_venue
    return [
      {
        from: pairOfMarkets[0],
        to: pairOfMarkets[1],
        kind: 'cross_venue',
        sign,
        priorBeta,
        confidence,
      },
    ]
  })
  const leadLagLinks = leadLags.flatMap(({ leader, follower, rho, beta, confidence }): Draft[] => {
    const leaderPair = linkedMarkets(leader, follower)
    if (leaderPair === null) return []
    const sign = rho < 0 ? -1 : 1
    return [
      {
        from: leaderPair[0],
        to: leaderPair[1],
        kind: 'lead_lag',
        sign,
        priorBeta: beta,
        confidence,
      },
    ]
  })
  return [...crossVenueLinks, ...leadLagLinks]
}

/**
 * The links of live markets (methodology D1). A pair keeps its strongest kind; a market keeps at
 * most twenty neighbours, by confidence times the thinner market's liquidity weight. The cost grows
 * with the number of markets.
 * @returns by `i`, then `j`; independent of the markets' order
 */
export function linkGraph(
  markets: readonly LinkMarket[],
  sources: LinkSources,
  params: LinkParams = LINK_PARAMS,
): MarketLink[] {
  const sortedMarkets = [...markets].sort(byTicker)
  const drafts = [
    ...discoverLinks(sortedMarkets, sources, params),
    ...exclusiveLinks(sortedMarkets, params),
    ...ladderLinks(sortedMarkets, params),
    ...seriesLinks(sortedMarkets, params),
    ...thematicLinks(sortedMarkets, params),
  ]
  const strongest = new Map<string, { readonly link: MarketLink; readonly weight: number }>()
  for (const { from, to, ...rest } of drafts) {
    const [low, high] = byTicker(from, to) < 0 ? [from, to] : [to, from]
    const key = `${tickerOf(low)}\n${tickerOf(high)}`
    const previous = strongest.get(key)?.link
    if (previous !== undefined && !isStronger(rest, previous)) continue
    const liquidity = Math.min(LIQUIDITY_WEIGHTS[low.liquidity], LIQUIDITY_WEIGHTS[high.liquidity])
    const link = { i: tickerOf(low), j: tickerOf(high), ...rest }
    strongest.set(key, { link, weight: rest.confidence * liquidity })
  }
  const rankedLinks = [...strongest.entries()].sort(
    ([keyA, a], [keyB, b]) => b.weight - a.weight || (keyA < keyB ? -1 : 1),
  )
  const degrees = new Map<Ticker, number>()
  const degreeOf = (ticker: Ticker): number => degrees.get(ticker) ?? 0
  const selectedLinks = rankedLinks.filter(([, { link }]) => {
    if (degreeOf(link.i) >= params.neighbours || degreeOf(link.j) >= params.neighbours) return false
    degrees.set(link.i, degreeOf(link.i) + 1)
    degrees.set(link.j, degreeOf(link.j) + 1)
    return true
  })
  return selectedLinks.sort(([keyA], [keyB]) => (keyA < keyB ? -1 : 1)).map(([, { link }]) => link)
}

function isStronger(
  a: Pick<MarketLink, 'kind' | 'confidence'>,
  b: Pick<MarketLink, 'kind' | 'confidence'>,
): boolean {
  const [rankA, rankB] = [LINK_KINDS.indexOf(a.kind), LINK_KINDS.indexOf(b.kind)]
  return rankA === rankB ? a.confidence > b.confidence : rankA < rankB
}
