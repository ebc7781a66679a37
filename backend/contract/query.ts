import { t } from 'elysia'
import type { Static } from 'elysia'
import { Highlight } from './edges.ts'
import { Gauges } from './indices.ts'
import { BookLevel, MarketRef, Mover, StatusEnum, VenueEnum, linkFields } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { PublicThesisRow } from './reference.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { InvalidInput } from '../lib/errors.ts'
import { MODEL_TIERS } from '../lib/language-model.ts'
import { byVenue, VENUES } from '../domain/venue.ts'

/** A text of the service's own that a search found. */
export const ContentItem = t.Object({
  id: t.String(),
  kind: stringEnum(['opinion', 'technical', 'glossary', 'topic', 'answer', 'skill', 'news']),
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

export const QUERY_SOURCES = [...VENUES, 'social', 'content', 'traditional'] as const
export const QUERY_MODES = ['full', 'raw'] as const
const MAX_QUERY_LENGTH = 500

export const PublicQuery = query(
  {
    q: param.requiredText('q required (min 2 chars)', 2, 'a question, at most 500 characters'),
    mode: param.oneOf(QUERY_MODES, 'full', { description: 'raw omits the answer' }),
    sources: param.listOf(QUERY_SOURCES, 'Default: all.'),
    limit: param.clampedInteger({ default: 10, min: 1, max: 20, description: 'per venue' }),
    model: param.oneOf(MODEL_TIERS, 'cheap', {
      description: 'medium and heavy need credentials',
    }),
    depth: param.flag(`book levels of the first three markets of ${VENUES[0]}`),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ q }) => {
    if (Array.from(q).length > MAX_QUERY_LENGTH) {
      throw new InvalidInput(`q must have at most ${MAX_QUERY_LENGTH} characters`)
    }
  },
)
export type PublicQuery = ReadQuery<typeof PublicQuery>

export const QueryMarket = t.Object({
  ...linkFields,
  title: t.String(),
  ticker: t.String(),
  price: Cents,
  volume: Num,
  volume24h: Num,
  bestBid: Cents,
  bestAsk: Cents,
  status: StatusEnum,
  closeTime: nullable(Iso),
  bidLevels: t.Optional(t.Array(BookLevel)),
  askLevels: t.Optional(t.Array(BookLevel)),
})
export type QueryMarket = Static<typeof QueryMarket>

export const QueryAnswer = t.Object({
  query: t.String(),
  contextSuggestion: nullable(t.String({ description: 'theme of the question' })),
  answer: t.Optional(t.String()),
  keyFactors: t.Array(t.String()),
  ...byVenue(() => t.Optional(t.Array(QueryMarket))),
  nearest: t.Optional(
    t.Array(
      t.Object({ ...QueryMarket.properties, venue: VenueEnum, differs: t.Array(t.String()) }),
      {
        description: 'without a market that asks the question: the nearest, with what differs',
      },
    ),
  ),
  content: t.Optional(t.Array(ContentItem)),
  theses: t.Optional(t.Array(PublicThesisRow)),
  meta: t.Object({
    sources: t.Array(stringEnum(QUERY_SOURCES)),
    mode: stringEnum(QUERY_MODES),
    latencyMs: t.Number(),
    ts: Iso,
    model: nullable(t.String()),
    queryUnderstanding: stringEnum(['deterministic', 'model']),
    synthesis: stringEnum(['model', 'template', 'none']),
    unavailable: t.Array(t.String()),
  }),
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type QueryAnswer = Static<typeof QueryAnswer>

export const ContextQuery = query(
  {
    compact: param.flag('only edges, highlights and traditional'),
    q: param.text('every word must occur; at least 2 characters'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ q }) => {
    if (q !== null && q.length < 2) throw new InvalidInput('q required (min 2 chars)')
  },
)
export type ContextQuery = ReadQuery<typeof ContextQuery>

const compactFields = {
  edges: t.Array(t.Record(t.String(), t.Unknown()), { description: 'rows of /api/edges' }),
  highlights: t.Array(Highlight),
  traditional: t.Array(TradQuote),
}

export const ContextCompact = t.Object(compactFields)
export type ContextCompact = Static<typeof ContextCompact>

export const ContextFull = t.Object({
  generatedAt: Iso,
  nextRefreshAt: Iso,
  ...compactFields,
  movers: t.Array(Mover),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
})
export type ContextFull = Static<typeof ContextFull>

export const ContextAnswer = t.Union([ContextFull, ContextCompact])
export const MAX_TEXT_LENGTH = 2_000
export const MAX_TICKERS = 10
export const PERSPECTIVES = { default: 3, min: 2, max: 5 } as const

/** The body as documented; `parseSubjects` checks it in the order of the interface. */
export const DiscussBody = t.Object(
  {
    question: t.Optional(t.String()),
    q: t.Optional(t.String({ description: 'question as interpreted' })),
    topic: t.Optional(t.String()),
    ticker: t.Optional(t.String()),
    tickers: t.Optional(t.Array(t.String())),
    model: t.Optional(t.String()),
    perspectives: t.Optional(t.Number()),
  },
  { additionalProperties: true },
)
export type DiscussBody = Static<typeof DiscussBody>

export const Discussion = t.Object({
  question: t.String(),
  perspectives: t.Array(
    t.Object({
      role: t.String(),
      stance: stringEnum(['yes', 'no', 'uncertain']),
      argument: t.String(),
      evidence: t.Array(t.String()),
    }),
  ),
  synthesis: t.String(),
  disagreements: t.Array(t.String()),
  markets: t.Array(MarketRef),
  meta: t.Object({
    model: nullable(t.String()),
    synthesis: stringEnum(['model', 'template']),
    latencyMs: t.Number(),
  }),
})
export type Discussion = Static<typeof Discussion>

export const MAX_CONTENT_LENGTH = 50_000
export const MAX_TOPICS = 20
export const MAX_TOPIC_LENGTH = 200

export const EnrichBody = t.Object(
  {
    content: t.Optional(t.String()),
    topics: t.Optional(t.Array(t.String())),
    model: t.Optional(t.String()),
  },
  { additionalProperties: true },
)
export type EnrichBody = Static<typeof EnrichBody>

export const Enrichment = t.Object({
  headline: t.String(),
  brief: t.String(),
  tweetable: t.String({ description: 'at most 280 characters' }),
  findings: t.Array(
    t.Object({
      claim: t.String(),
      relevance: t.Number(),
      topic: t.String(),
      markets: t.Array(t.String()),
      direction: stringEnum(['up', 'down', 'unclear']),
    }),
  ),
  markets: t.Array(
    t.Object({ ...MarketRef.properties, delta24h: Num, topic: t.String(), why: t.String() }),
  ),
  index: t.Object({
    ...Gauges.properties,
    value: Num,
    timestamp: Iso,
  }),
  meta: t.Object({
    model: nullable(t.String()),
    synthesis: stringEnum(['model', 'template']),
    latencyMs: t.Number(),
  }),
})
export type Enrichment = Static<typeof Enrichment>
