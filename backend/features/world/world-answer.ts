import type { Millis } from '../../domain/units.ts'
import { worldHead, type WorldHead } from '../../domain/world/snapshot.ts'
import { addressOf, get, inspectUrl, type Action, type Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Place } from './place.ts'
import type { Op } from './world.schema.ts'

/** An answer in both forms; the text is written when it is asked for. */
export interface WorldAnswer {
  readonly body: object
  readonly markdown: () => string
}

/** When an answer was made, and how long that took. */
export interface Making {
  readonly servedAt: Millis
  readonly generatedInMs: number
}

/** The head of every operation on a place. */
export const headOf = ({ bucket, region, reading }: Place, urls: Urls): WorldHead =>
  worldHead(bucket.world, region, reading, urls)

/** Keys that every JSON answer has besides its head. */
export const madeFields = (op: Op, { servedAt, generatedInMs }: Making) => ({
  op,
  servedAt: isoOf(servedAt),
  generatedInMs,
})

/** Where a region's feed is: the world's, else that of its last segment. */
const feedUrl = (path: readonly string[], urls: Urls): string => {
  const last = path.at(-1)
  return addressOf(
    urls.baseUrl,
    last === undefined ? '/api/agent/world/feed' : `/api/agent/feed/${encodeURIComponent(last)}`,
  )
}

/** What to ask after the world: what changes from here on, the feed, and the first item's market. */
export function relatedOf(
  { bucket, region }: Place,
  firstTicker: string | null,
  urls: Urls,
): { readonly related: Action[] } {
  const since = isoOf(bucket.world.at)
  const related = [
    get(
      'What changed since this answer',
      addressOf(urls.baseUrl, '/api/agent/world/delta', { since }),
    ),
    get('Updates as they come', feedUrl(region.path, urls)),
  ]
  if (firstTicker !== null) {
    related.push(get(`Everything about ${firstTicker}`, inspectUrl(urls, firstTicker)))
  }
  return { related }
}

/** The snapshot of the whole world as the next thing to ask. */
export const snapshotAction = (urls: Urls): Action =>
  get('The world now', addressOf(urls.baseUrl, '/api/agent/world'))
