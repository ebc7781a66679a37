import type { Feed } from '../../../domain/backtest/event-columns.ts'
import { MINUTE } from '../../../domain/units.ts'
import type { EventQuery } from '../../event-streams.ts'
import type { MarketId } from '../../market-key.ts'
import { readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import type { Spans } from '../ticks/spans.ts'
import { boundsFor, countSql, marketFilter, type MarketFilter } from './queries.ts'
import type { TimeSpan } from './sort-messages.ts'

/** Rows of a frame: few enough to be sorted and processed in the processor's cache. */
const ROWS_PER_FRAME = 131_072
/** Memory of a row relative to a trade. */
const WEIGHTS: Readonly<Record<Feed, number>> = { trades: 1, quotes: 1, books: 4, bars: 1 }
/** Buckets of time in which rows are counted, at most. */
const MAX_BUCKETS = 8_192

/** How a feed is scanned. */
export interface FeedPlan {
  readonly feed: Feed
  readonly filter: MarketFilter
  readonly largestLag: number
  /** Rows to scan, including those of other markets when all are read. */
  readonly rows: number
}

export interface StreamPlan {
  /** Each becomes a frame; spans without rows are omitted. */
  readonly spans: readonly TimeSpan[]
  /** Feeds that have rows. */
  readonly feeds: readonly FeedPlan[]
}

/** Counts the rows of a query and divides its range into spans of about one frame. */
export async function planStream(
  session: Session,
  storedSpans: Spans,
  query: EventQuery,
): Promise<StreamPlan> {
  const { from, to, markets, rowsPerFrame = ROWS_PER_FRAME } = query
  if (markets.length === 0 || to <= from) return { spans: [], feeds: [] }
  const bucket = Math.max(MINUTE, Math.ceil((to - from) / MAX_BUCKETS))
  const weights = new Float64Array(Math.ceil((to - from) / bucket))
  const feeds: FeedPlan[] = []
  for (const feed of query.feeds) {
    const filter = marketFilter(storedSpans, feed, markets)
    const bounds = boundsFor(filter, { from, until: to, bucket })
    let rows = 0
    let largestLag = 0
    for (const chunk of await session.read(countSql(feed, filter), bounds)) {
      const indices = readIntegers(chunk, 0)
      const counts = readDoubles(chunk, 1)
      const lags = readDoubles(chunk, 2)
      for (let i = 0; i < chunk.rowCount; i++) {
        const marketIndex = indices[i] as number
        const count = counts[i] as number
        weights[marketIndex] = (weights[marketIndex] ?? 0) + count * WEIGHTS[feed]
        rows += count
        largestLag = Math.max(largestLag, lags[i] as number)
      }
    }
    if (rows > 0) feeds.push({ feed, filter, largestLag, rows })
  }
  return { spans: spansOf(weights, { from, to, bucket, rowsPerFrame }), feeds }
}

/** Index of each market in a list; −1 for markets that are not in it. */
export function marketIndices(markets: readonly MarketId[]): Int32Array {
  const last = markets.reduce((max, market) => Math.max(max, market), -1)
  const indices = new Int32Array(last + 1).fill(-1)
  for (const [index, market] of markets.entries()) indices[market] = index
  return indices
}

interface Buckets {
  readonly from: number
  readonly to: number
  readonly bucket: number
  readonly rowsPerFrame: number
}

/** Merges adjacent buckets while they hold no more than a frame. */
function spansOf(weights: Float64Array, { from, to, bucket, rowsPerFrame }: Buckets): TimeSpan[] {
  const spans: TimeSpan[] = []
  let start = 0
  let spanRows = 0
  const close = (end: number): void => {
    if (spanRows > 0) {
      const until = Math.min(to, from + end * bucket)
      spans.push({ from: from + start * bucket, until })
    }
    start = end
    spanRows = 0
  }
  for (const [index, weight] of weights.entries()) {
    if (spanRows > 0 && spanRows + weight > rowsPerFrame) close(index)
    spanRows += weight
  }
  close(weights.length)
  return spans
}
