import { t } from 'elysia'
import type { Static } from 'elysia'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'

export const VenueWord = words(['venue_a', 'venue_b'])
export const StatusWord = words(['upcoming', 'active', 'paused', 'closed', 'resolving', 'settled'])
export const LevelWord = words(['high', 'medium', 'low'])

export const MarketRef = t.Object({
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  url: t.String({ description: 'address of the dossier' }),
})
export type MarketRef = Static<typeof MarketRef>

export const BookLevel = t.Object({
  price: t.Number({ description: 'cents' }),
  size: t.Number({ description: 'contracts' }),
})

/** Present on markets that the demo made up, absent on all others. */
export const SampleMark = t.Optional(
  t.Literal(true, { description: 'made up by the demo, not a market of the venue' }),
)

const rowFields = {
  pageUrl: t.String(),
  apiUrl: t.String(),
  inspectUrl: t.String(),
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  subtitle: nullable(t.String()),
  slug: t.String(),
  eventId: t.String(),
  eventTitle: nullable(t.String()),
  seriesId: nullable(t.String()),
  category: t.String(),
  topics: t.Array(t.String()),
  status: StatusWord,
  result: nullable(words(['yes', 'no', 'scalar'])),
  price: Cents,
  bestBid: Cents,
  bestAsk: Cents,
  spread: Cents,
  lastPrice: Cents,
  change24h: Num,
  volume: Num,
  volume24h: Num,
  volumeUnit: words(['contracts', 'usd']),
  openInterest: Num,
  liquidityScore: LevelWord,
  openTime: nullable(Iso),
  closeTime: nullable(Iso),
  tauDays: nullable(t.Integer()),
  updatedAt: t.String({ format: 'date-time', description: 'time of the quote' }),
  sample: SampleMark,
}
export const MarketRow = t.Object(rowFields)
export type MarketRow = Static<typeof MarketRow>

/** A row of a list with what some lists add to it. */
export const ListedRow = t.Object({
  ...rowFields,
  bidLevels: t.Optional(t.Array(BookLevel)),
  askLevels: t.Optional(t.Array(BookLevel)),
})
export type ListedRow = Static<typeof ListedRow>
export const NewRow = t.Object({ ...rowFields, firstSeenAt: Iso })
export const ScannedRow = t.Object({
  ...rowFields,
  score: t.Number(),
  matched: t.Array(t.String()),
})

export const Indicators = t.Object({
  iy: Num,
  iyYes: Num,
  iyNo: Num,
  adjIy: Num,
  cri: Num,
  ee: Num,
  eeSource: nullable(t.Literal('thesis')),
  las: Num,
  cvr: Num,
  tau: Num,
  tauDays: nullable(t.Integer()),
  daysToEvent: Num,
  overround: Num,
  rv: Num,
  vr: Num,
  iar: Num,
  expectedVr: Num,
  residualVr: Num,
  hasThesis: t.Boolean(),
  hasOrderbook: t.Boolean(),
  lastComputedAt: nullable(Iso),
})
export type Indicators = Static<typeof Indicators>

export const RegimeLabel = words(['maker', 'taker', 'neutral'])
export const ScreenRow = t.Object({
  ...rowFields,
  indicators: Indicators,
  regimeLabel: nullable(RegimeLabel),
})
export type ScreenRow = Static<typeof ScreenRow>

export const Regime = t.Object({
  score: Num,
  asScore: Num,
  label: RegimeLabel,
  signals: t.Object({
    spreadCents: Num,
    bidDepthUsd: Num,
    askDepthUsd: Num,
    volume24h: Num,
    observability: words(['none', 'low', 'medium', 'high', 'direct']),
    eventType: words([
      'data_release',
      'political',
      'financial',
      'sports',
      'weather',
      'cultural',
      'scientific',
    ]),
    asPrior: t.Number(),
    sfEdgeCents: Num,
    sfEdgeDirection: nullable(words(['yes', 'no'])),
  }),
  computedAt: Iso,
  fresh: t.Boolean(),
  trendLabel: nullable(words(['bull', 'bear', 'range', 'frontier', 'panic'])),
})

const ThesisEdge = t.Object({
  thesisTitle: t.String(),
  thesisSlug: nullable(t.String()),
  thesisPrice: t.Number(),
  edge: t.Number(),
  executableEdge: Num,
  direction: words(['yes', 'no']),
  firstDetectedAt: Iso,
  firstDetectedPrice: Cents,
})

const CrossMatch = t.Object({
  pageUrl: t.String(),
  apiUrl: t.String(),
  inspectUrl: t.String(),
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  bestBid: Cents,
  bestAsk: Cents,
  gap: Num,
  confidence: t.Number(),
  closeTime: nullable(Iso),
  closeDeltaDays: Num,
  method: words(['exact', 'text', 'reviewed']),
  inverted: t.Boolean(),
})

/** Next actions of market lists and of one market. */
export const MarketActions = t.Object({ inspect: t.Array(Action), related: t.Array(Action) })
export type MarketActions = Static<typeof MarketActions>

export const Market = t.Object({
  ...rowFields,
  description: t.String(),
  rulesUrl: nullable(t.String()),
  expirationTime: nullable(Iso),
  tickSize: nullable(t.Number({ description: 'cents' })),
  exclusive: t.Boolean(),
  bidLevels: t.Optional(t.Array(BookLevel, { description: 'best five, with depth=true' })),
  askLevels: t.Optional(t.Array(BookLevel, { description: 'best five, with depth=true' })),
  depthAt: t.Optional(Iso),
  edges: t.Array(ThesisEdge),
  indicators: Indicators,
  regime: nullable(Regime),
  crossVenue: nullable(CrossMatch),
  siblings: t.Array(MarketRef),
  fetchedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type Market = Static<typeof Market>
