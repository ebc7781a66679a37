import { t } from 'elysia'
import type { Static } from 'elysia'
import { linkFields } from '../../http/market-ref.ts'
import { BookLevel, StatusWord } from '../../http/market-schemas.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { ContentItem, PublicThesisRow } from '../../http/read-schemas.ts'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'

export const QUERY_SOURCES = ['venue_a', 'venue_b', 'social', 'content', 'traditional'] as const
export type QuerySource = (typeof QUERY_SOURCES)[number]
export const QUERY_MODES = ['full', 'raw'] as const
const LONGEST_QUERY = 500

export const PublicQuery = query(
  {
    q: param.requiredText('q required (min 2 chars)', 2, 'a question, at most 500 characters'),
    mode: param.oneOf(QUERY_MODES, 'full', { description: 'raw leaves the answer out' }),
    sources: param.listOf(QUERY_SOURCES, 'All unless told.'),
    limit: param.clampedInteger({ default: 10, min: 1, max: 20, description: 'per venue' }),
    model: param.oneOf(MODEL_TIERS, 'cheap', {
      description: 'medium and heavy need credentials',
    }),
    depth: param.flag('book levels of the first three markets of venue_a'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ q }) => {
    if (Array.from(q).length > LONGEST_QUERY) {
      throw new InvalidInput(`q must have at most ${LONGEST_QUERY} characters`)
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
  status: StatusWord,
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
  venue_a: t.Optional(t.Array(QueryMarket)),
  venue_b: t.Optional(t.Array(QueryMarket)),
  content: t.Optional(t.Array(ContentItem)),
  theses: t.Optional(t.Array(PublicThesisRow)),
  meta: t.Object({
    sources: t.Array(words(QUERY_SOURCES)),
    mode: words(QUERY_MODES),
    latencyMs: t.Number(),
    ts: Iso,
    model: nullable(t.String()),
    queryUnderstanding: words(['deterministic', 'model']),
    synthesis: words(['model', 'template', 'none']),
    unavailable: t.Array(t.String()),
  }),
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type QueryAnswer = Static<typeof QueryAnswer>
