import type { Feed } from '../../../domain/backtest/event-columns.ts'
import type { HistoryBatch } from '../../history-batch.ts'
import type { MarketSpan, TickKind } from '../ticks/spans.ts'
import type { CachedStream } from './cached-stream.ts'
import { FEED_KINDS } from './queries.ts'

/** Rows that are about to be stored. */
export interface IncomingRows {
  /** Whether any of them belongs to a stream, which makes its cached frames outdated. */
  overlap(stream: Pick<CachedStream, 'query' | 'indexByMarket'>): boolean
}

interface Rows {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly lag: Float64Array
}

/** The rows of a batch, compared by market and by when they became known. */
export function rowsOfBatch({ trades, quotes, books, candles }: HistoryBatch): IncomingRows {
  const byFeed: Readonly<Record<Feed, Rows | undefined>> = { trades, quotes, books, bars: candles }
  const spans = new Map<Feed, ReturnType<typeof knownSpan>>()
  for (const [feed, rows] of Object.entries(byFeed) as [Feed, Rows | undefined][]) {
    if (rows !== undefined && rows.market.length > 0) spans.set(feed, knownSpan(rows))
  }
  return {
    overlap({ query: { from, to, feeds }, indexByMarket }) {
      return feeds.some((feed) => {
        const span = spans.get(feed)
        const rows = byFeed[feed]
        // Live rows are later than the end of nearly every stream.
        if (span === undefined || rows === undefined) return false
        if (span.first > to || span.last <= from) return false
        const { market, ts, lag } = rows
        for (let i = 0; i < market.length; i++) {
          const knownAt = (ts[i] as number) + (lag[i] as number)
          if (knownAt > from && knownAt <= to && isAmong(indexByMarket, market[i] as number))
            return true
        }
        return false
      })
    },
  }
}

function knownSpan({ ts, lag }: Rows): { first: number; last: number } {
  let [first, last] = [Infinity, -Infinity]
  for (let i = 0; i < ts.length; i++) {
    const knownAt = (ts[i] as number) + (lag[i] as number)
    if (knownAt < first) first = knownAt
    if (knownAt > last) last = knownAt
  }
  return { first, last }
}

/**
 * Rows of an imported file with known venue times: they may have become known at any later time.
 */
export const rowsOfSpans = (kind: TickKind, spans: readonly MarketSpan[]): IncomingRows => ({
  overlap: ({ query: { to, feeds }, indexByMarket }) =>
    feeds.some((feed) => FEED_KINDS[feed] === kind) &&
    spans.some(({ market, first }) => first <= to && isAmong(indexByMarket, market)),
})

const isAmong = (indexByMarket: Int32Array, market: number): boolean =>
  (indexByMarket[market] ?? -1) >= 0
