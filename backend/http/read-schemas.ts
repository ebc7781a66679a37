import { t } from 'elysia'
import type { Static } from 'elysia'
import { MarketRef, VenueWord } from './market-ref.ts'
import { Cents, Iso, nullable, Num, words } from './schemas.ts'

/** A text of the service's own that a search found. */
export const ContentItem = t.Object({
  id: t.String(),
  kind: words(['opinion', 'technical', 'glossary', 'topic', 'answer', 'skill', 'news']),
  title: t.String(),
  slug: nullable(t.String()),
  excerpt: t.String(),
  url: t.String(),
  publishedAt: nullable(Iso),
})
export type ContentItem = Static<typeof ContentItem>

export const TradQuote = t.Object({
  symbol: t.String(),
  name: t.String(),
  price: Num,
  change: Num,
  changePct: Num,
  asOf: Iso,
  source: t.String(),
})

/** A published thesis in a list. */
export const PublicThesisRow = t.Object({
  slug: t.String(),
  title: t.String(),
  confidence: Num,
  impliedReturn: nullable(t.Number({ description: 'percent' })),
  status: t.String(),
  publishedAt: Iso,
  url: t.String(),
})

export const Gauges = t.Object({
  disagreement: Num,
  geoRisk: Num,
  breadth: Num,
  activity: Num,
})

/** A market that moved. */
export const Mover = t.Object({
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  delta: t.Number({ description: 'cents' }),
  from: Cents,
  volume24h: Num,
  volumeZ: Num,
  url: t.String(),
})
export type Mover = Static<typeof Mover>

export const CATALYST_KINDS = [
  'resolution',
  'econ_release',
  'gov_action',
  'election',
  'fed_meeting',
  'custom',
] as const

/** Something dated that lies ahead. */
export const Catalyst = t.Object({
  id: t.String(),
  kind: words(CATALYST_KINDS),
  title: t.String(),
  at: Iso,
  date: t.String({ description: 'YYYY-MM-DD' }),
  timeKnown: t.Boolean(),
  category: t.String(),
  tickers: t.Array(t.String()),
  importance: words(['high', 'medium', 'low']),
  source: t.String(),
  market: t.Optional(t.Object({ ...MarketRef.properties, tauDays: t.Number(), volume24h: Num })),
})
export type Catalyst = Static<typeof Catalyst>

/** The best of one of the lists of the world. */
export const Highlight = t.Object({
  rank: t.Integer({ description: 'from 0' }),
  kind: words(['mover', 'edge', 'contagion', 'resolving', 'new', 'volume']),
  title: t.String(),
  summary: t.String(),
  ticker: nullable(t.String()),
  price: Cents,
  delta24h: Num,
  at: Iso,
  url: t.String(),
})
export type Highlight = Static<typeof Highlight>
