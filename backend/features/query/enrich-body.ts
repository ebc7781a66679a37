import type { EnrichBody } from '../../contract/query.ts'
import { LONGEST_CONTENT, LONGEST_TOPIC, MOST_TOPICS } from '../../contract/query.ts'
import { tierIn } from './discuss-body.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'

/** A text to be enriched. */
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
