import { t } from 'elysia'
import type { Static } from 'elysia'
import { MarketRef } from '../../http/market-ref.ts'
import { Iso, nullable, Num, words } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'
import { tierIn } from './discuss.schema.ts'

const LONGEST_CONTENT = 50_000
const MOST_TOPICS = 20
const LONGEST_TOPIC = 200

export const EnrichBody = t.Object(
  {
    content: t.Optional(t.String()),
    topics: t.Optional(t.Array(t.String())),
    model: t.Optional(t.String()),
  },
  { additionalProperties: true },
)
export type EnrichBody = Static<typeof EnrichBody>

/** What is to be enriched. */
export interface Enriched {
  readonly content: string
  readonly topics: readonly string[]
  readonly model: ModelTier
}

/** @throws InvalidInput */
export function enrichedIn(body: EnrichBody): Enriched {
  const content = body.content ?? ''
  if (content.trim() === '' || content.length > LONGEST_CONTENT) {
    throw new InvalidInput(`content required (1 to ${LONGEST_CONTENT} chars)`)
  }
  const named = (body.topics ?? []).map((topic) => topic.trim()).filter((topic) => topic !== '')
  if (named.length === 0) throw new InvalidInput('topics required (at least 1)')
  if (named.length > MOST_TOPICS) {
    throw new InvalidInput(`topics must have at most ${MOST_TOPICS} entries`)
  }
  const topics = named.map((topic) => topic.slice(0, LONGEST_TOPIC))
  return { content, topics: [...new Set(topics)], model: tierIn(body.model) }
}

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
      direction: words(['up', 'down', 'unclear']),
    }),
  ),
  markets: t.Array(
    t.Object({ ...MarketRef.properties, delta24h: Num, topic: t.String(), why: t.String() }),
  ),
  index: t.Object({
    disagreement: Num,
    geoRisk: Num,
    breadth: Num,
    activity: Num,
    value: Num,
    timestamp: Iso,
  }),
  meta: t.Object({
    model: nullable(t.String()),
    synthesis: words(['model', 'template']),
    latencyMs: t.Number(),
  }),
})
export type Enrichment = Static<typeof Enrichment>
