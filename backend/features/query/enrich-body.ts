import type { EnrichBody } from '../../contract/query.ts'
import { MAX_CONTENT_LENGTH, MAX_TOPIC_LENGTH, MAX_TOPICS } from '../../contract/query.ts'
import { tierIn } from './discuss-body.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'

/** A validated enrichment request. */
export interface EnrichRequest {
  readonly content: string
  readonly topics: readonly string[]
  readonly model: ModelTier
}

/** @throws InvalidInput */
export function parseEnrichRequest(body: EnrichBody): EnrichRequest {
  const content = body.content ?? ''
  if (content.trim() === '' || content.length > MAX_CONTENT_LENGTH) {
    throw new InvalidInput(`content required (1 to ${MAX_CONTENT_LENGTH} chars)`)
  }
  const requestedTopics = (body.topics ?? [])
    .map((topic) => topic.trim())
    .filter((topic) => topic !== '')
  if (requestedTopics.length === 0) throw new InvalidInput('topics required (at least 1)')
  if (requestedTopics.length > MAX_TOPICS) {
    throw new InvalidInput(`topics must have at most ${MAX_TOPICS} entries`)
  }
  const topics = requestedTopics.map((topic) => topic.slice(0, MAX_TOPIC_LENGTH))
  return { content, topics: [...new Set(topics)], model: tierIn(body.model) }
}
