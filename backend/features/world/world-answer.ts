import { isConditionId } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { worldHead, type WorldHead } from '../../domain/world/snapshot.ts'
import { absoluteUrl, get, inspectUrl, type Action, type Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { RegionSnapshot } from './region-snapshot.ts'
import type { Op } from '../../contract/world.ts'

/** A response in both forms; the text is rendered on demand. */
export interface WorldAnswer {
  readonly body: object
  readonly markdown: () => string
}

/** Time of an answer and the duration of its computation. */
export interface AnswerTiming {
  readonly servedAt: Millis
  readonly generatedInMs: number
}

/** The head of every operation on a region. */
export const headOf = ({ worldSnapshot, region, reading }: RegionSnapshot, urls: Urls): WorldHead =>
  worldHead(worldSnapshot.world, region, reading, urls)

/** Fields of every JSON response in addition to its head. */
export const operationFields = (op: Op, { servedAt, generatedInMs }: AnswerTiming) => ({
  op,
  servedAt: isoOf(servedAt),
  generatedInMs,
})

/** Address of a region's feed: the world's, or that of its last segment. */
const feedUrl = (path: readonly string[], urls: Urls): string => {
  const last = path.at(-1)
  return absoluteUrl(
    urls.baseUrl,
    last === undefined ? '/api/agent/world/feed' : `/api/agent/feed/${encodeURIComponent(last)}`,
  )
}

/** A ticker in a sentence; condition ids are too long for one. */
export const shortName = (ticker: string): string =>
  isConditionId(ticker) ? 'the first market' : ticker

/** Next actions of the world: the delta, the feed, and the first item's market. */
export function relatedActions(
  { worldSnapshot, region }: RegionSnapshot,
  firstTicker: string | null,
  urls: Urls,
): { readonly related: Action[] } {
  const since = isoOf(worldSnapshot.world.at)
  const actions = [
    get(
      'Changes since this response',
      absoluteUrl(urls.baseUrl, '/api/agent/world/delta', { since }),
    ),
    get('Live updates', feedUrl(region.path, urls)),
  ]
  if (firstTicker !== null) {
    actions.push(get(`Everything about ${shortName(firstTicker)}`, inspectUrl(urls, firstTicker)))
  }
  return { related: actions }
}

/** Next action to the snapshot of the whole world. */
export const snapshotAction = (urls: Urls): Action =>
  get('The world now', absoluteUrl(urls.baseUrl, '/api/agent/world'))
