import type { Millis } from '../../../domain/units.ts'
import type { CopyQuery } from '../../history-copies.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { MarketId } from '../../market-key.ts'
import type { CandleRow } from '../../market-rows.ts'
import { appendColumns, flags, integers, wholes } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'

/** Function that computes bars of a market; that of `HistoryStore.candles`. */
export type CandlesOf = (
  session: Session,
  query: Parameters<HistoryStore['candles']>[0],
) => Promise<CandleRow[]>

const TABLE = `create or replace temp table copied_bar (
  market integer, start bigint, width bigint, open integer, high integer, low integer,
  close integer, volume bigint, crosses_gap boolean)`
/** Bars are read from the newest back, this many at a time. */
const PAGE = 5_000

/** Creates the table of bars again, empty. */
export const clearBars = (session: Session): Promise<unknown> => session.connection.run(TABLE)

/**
 * Inserts the bars of a market that start in the span and ended by `asOf`; returns their number.
 */
export async function putBars(
  session: Session,
  candlesOf: CandlesOf,
  market: MarketId,
  { from, to, asOf, width }: Pick<CopyQuery, 'from' | 'to' | 'asOf'> & { width: Millis },
  signal: AbortSignal | undefined,
): Promise<number> {
  const appender = await session.connection.createAppender('copied_bar', 'main', 'temp')
  let count = 0
  try {
    let barBoundary = Math.min(to, asOf - width + 1) as Millis
    while (barBoundary > from) {
      signal?.throwIfAborted()
      const page = await candlesOf(session, {
        market,
        width,
        asOf,
        before: barBoundary,
        limit: PAGE,
      })
      const rows = page.filter((bar) => bar.start >= from)
      appendBars(appender, market, width, rows)
      count += rows.length
      const oldest = page[0]
      if (oldest === undefined || page.length < PAGE) break
      barBoundary = oldest.start
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
  return count
}

type Appender = Parameters<typeof appendColumns>[0]

function appendBars(appender: Appender, market: MarketId, width: Millis, rows: CandleRow[]): void {
  const ints = (value: (row: CandleRow) => number) => integers(Int32Array.from(rows, value))
  const longs = (value: (row: CandleRow) => number) => wholes(Float64Array.from(rows, value))
  appendColumns(
    appender,
    [
      ints(() => market),
      longs((row) => row.start),
      longs(() => width),
      ints((row) => row.open),
      ints((row) => row.high),
      ints((row) => row.low),
      ints((row) => row.close),
      longs((row) => row.volume ?? NaN),
      flags(rows.map((row) => row.crossesGap)),
    ],
    rows.length,
  )
}
