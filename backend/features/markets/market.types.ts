import { t } from 'elysia'
import type { Static } from 'elysia'
import { MarketRef, VenueWord } from '../../http/market-ref.ts'
import { BookLevel, Indicators, marketRowFields, RegimeLabel } from '../../http/market-schemas.ts'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'

/** A row of a list with what some lists add to it. */
export const ListedRow = t.Object({
  ...marketRowFields,
  bidLevels: t.Optional(t.Array(BookLevel)),
  askLevels: t.Optional(t.Array(BookLevel)),
})
export type ListedRow = Static<typeof ListedRow>
export const NewRow = t.Object({ ...marketRowFields, firstSeenAt: Iso })
export const ScannedRow = t.Object({
  ...marketRowFields,
  score: t.Number(),
  matched: t.Array(t.String()),
})

export const ScreenRow = t.Object({
  ...marketRowFields,
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
  ...marketRowFields,
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
