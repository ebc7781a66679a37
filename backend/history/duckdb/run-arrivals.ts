import type { Feed } from '../../domain/backtest/event-columns.ts'
import type { HistoryBatch } from '../history-batch.ts'
import { FEED_KINDS } from './run-plan.ts'
import type { ArrivingRows } from './run-readings.ts'
import type { MarketSpan, TickKind } from './spans.ts'

interface Rows {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly lag: Float64Array
}

/** The rows of a batch: a reading has them if it hears of their market and they were known in its range. */
export function rowsOfBatch({ trades, quotes, books, candles }: HistoryBatch): ArrivingRows {
  const byFeed: Readonly<Record<Feed, Rows | undefined>> = { trades, quotes, books, bars: candles }
  const spans = new Map<Feed, ReturnType<typeof knownIn>>()
  for (const [feed, rows] of Object.entries(byFeed) as [Feed, Rows | undefined][]) {
    if (rows !== undefined && rows.market.length > 0) spans.set(feed, knownIn(rows))
  }
  return {
    meet({ query: { from, to, feeds }, places }) {
      return feeds.some((feed) => {
        const [span, rows] = [spans.get(feed), byFeed[feed]]
        // What is collected now is later than nearly every reading.
        if (span === undefined || rows === undefined || span.first > to || span.last <= from)
          return false
        const { market, ts, lag } = rows
        for (let i = 0; i < market.length; i++) {
          const known = (ts[i] as number) + (lag[i] as number)
          if (known > from && known <= to && isAmong(places, market[i] as number)) return true
        }
        return false
      })
    },
  }
}

function knownIn({ ts, lag }: Rows): { first: number; last: number } {
  let [first, last] = [Infinity, -Infinity]
  for (let i = 0; i < ts.length; i++) {
    const known = (ts[i] as number) + (lag[i] as number)
    if (known < first) first = known
    if (known > last) last = known
  }
  return { first, last }
}

/** Rows of a file, of which it is known when they happened: they may have become known any time after. */
export const rowsOfSpans = (kind: TickKind, spans: readonly MarketSpan[]): ArrivingRows => ({
  meet: ({ query: { to, feeds }, places }) =>
    feeds.some((feed) => FEED_KINDS[feed] === kind) &&
    spans.some(({ market, first }) => first <= to && isAmong(places, market)),
})

const isAmong = (places: Int32Array, market: number): boolean => (places[market] ?? -1) >= 0
