import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { CoverageSpan, CoverageWindow } from '../../coverage.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { CandleRow, CandleSource } from '../../market-rows.ts'
import { orNull, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import { tradesFrom, type Corrections } from './corrections.ts'
import { windowsBack, type Span, type Spans } from './spans.ts'

type CandleQuery = Parameters<HistoryStore['candles']>[0]

/** Buckets with any trade; open is -1 where there are block trades only. Methodology A16. */
const tradeBars = (isCorrected: boolean): string => `
  select (ts // $width * $width)::double as bucket,
         coalesce(arg_min(price, (ts, trade_id)) filter (where not is_block), -1) as open,
         coalesce(max(price) filter (where not is_block), -1) as high,
         coalesce(min(price) filter (where not is_block), -1) as low,
         coalesce(arg_max(price, (ts, trade_id)) filter (where not is_block), -1) as close,
         sum(size)::double as volume
    from ${tradesFrom(isCorrected)}
   where market = $market::integer and ts between $from and $to and ts <= $asOf and ts + lag <= $asOf
   group by bucket order by bucket`

/**
 * Native bars folded up to the requested width: the newest known version of each, the widest
 * usable width of a bucket. A bar off the UTC grid (an Eastern day) is never used.
 */
const nativeBars = (volume: string) => `
  with version as (
    select start, width,
           arg_max(struct_pack(open, high, low, close, volume), (lag, part, seq)) as bar
      from candle_all
     where market = $market::integer and ts between $from and $to + $width
       and ts <= $asOf and ts + lag <= $asOf
       and start between $from and $to and width between 1 and $width
       and $width % width = 0 and start % width = 0
     group by start, width)
  select (start // $width * $width)::double as bucket,
         arg_min(bar.open, start) as open,
         max(greatest(bar.high, bar.open, bar.close)) as high,
         min(least(bar.low, bar.open, bar.close)) as low,
         arg_max(bar.close, start) as close,
         coalesce(sum(bar.volume)::double, 'nan') as volume
    from version
   where bar.open is not null and bar.close is not null and bar.volume is ${volume}
   group by bucket, width
 qualify width = max(width) over (partition by bucket)
   order by bucket`
const NATIVE_BARS = nativeBars('not null')
const NATIVE_PRICE_BARS = nativeBars('null')

/** Price-only bars from the midpoint of recorded two-sided quotes at most ten cents wide (A1). */
const QUOTE_BARS = `
  select (ts // $width * $width)::double as bucket,
         arg_min(mark, (ts, lag, part, seq)) as open, max(mark) as high, min(mark) as low,
         arg_max(mark, (ts, lag, part, seq)) as close, 'nan'::double as volume
    from (select *, round((bid + ask) / 2)::integer as mark
            from quote_all
           where market = $market::integer and ts between $from and $to
             and ts <= $asOf and ts + lag <= $asOf
             and origin >= 2 and bid > 0 and ask < 10000 and bid < ask and ask - bid <= 1000)
   group by bucket order by bucket`

/** Spans of a feed of the market that were missing as known at `asOf`. */
export type GapsOf = (feed: CoverageFeed, window: CoverageWindow) => readonly CoverageSpan[]

interface CandleSources {
  readonly spans: Spans
  readonly corrections: Corrections
  readonly gapsOf: GapsOf
}

/**
 * The newest `limit` bars that start before `before`, oldest first; see the port. Each bucket is
 * filled by its best source: trades, the venue's bars, then mids of recorded quotes.
 */
export async function candlesOf(
  session: Session,
  { spans, corrections, gapsOf }: CandleSources,
  query: CandleQuery,
): Promise<CandleRow[]> {
  const { market, width, asOf } = query
  const tradeBarsSql = tradeBars(corrections.touches(market, asOf))
  const markFeedGaps = (feed: CoverageFeed, rows: CandleRow[]): CandleRow[] =>
    markGaps(rows, width, (from, to) => gapsOf(feed, { from, to, asOf }))
  const trades = spans.get('trade', market)
  const natives = spans.get('candle', market)
  const quotes = spans.get('quote', market)
  const readTrades = async (bounds: Bounds): Promise<CandleRow[]> =>
    trades === null
      ? []
      : markFeedGaps('trades', await bars(session, tradeBarsSql, bounds, 'trades'))
  const readNatives = async (sql: string, bounds: Bounds): Promise<CandleRow[]> =>
    natives === null ? [] : bars(session, sql, bounds, 'venue')
  const readMids = async (bounds: Bounds): Promise<CandleRow[]> =>
    quotes === null ? [] : markFeedGaps('quotes', await bars(session, QUOTE_BARS, bounds, 'mids'))

  return collect(query, join(trades, startsOf(natives, width), quotes), async (bounds) => {
    const { from = 0, to = 0 } = bounds
    // A period with any stored trade, even only a block trade, needs no substitute.
    const candlesByStart = new Map((await readTrades(bounds)).map((bar) => [bar.start, bar]))
    const fill = (rows: readonly CandleRow[]): void => {
      for (const bar of rows) if (!candlesByStart.has(bar.start)) candlesByStart.set(bar.start, bar)
    }
    fill(await readNatives(NATIVE_BARS, bounds))
    fill(await readNatives(NATIVE_PRICE_BARS, bounds))
    const buckets = Math.floor(Number(to) / width) - Math.floor(Number(from) / width) + 1
    const isFull = candlesByStart.size >= buckets
    if (!isFull) fill(await readMids(bounds))
    return [...candlesByStart.values()].sort((a, b) => a.start - b.start)
  })
}

/**
 * Marks the bars, ascending, that overlap a gap. A venue's own bars are never marked because the
 * venue computed them.
 */
function markGaps(
  rows: CandleRow[],
  width: number,
  gapsIn: (from: Millis, to: Millis) => readonly CoverageSpan[],
): CandleRow[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return rows
  const gaps = gapsIn(first.start, (last.start + width) as Millis)
  if (gaps.length === 0) return rows
  let next = 0
  return rows.map((bar) => {
    while ((gaps[next]?.to ?? Infinity) <= bar.start) next += 1
    const gap = gaps[next]
    return gap !== undefined && gap.from < bar.start + width ? { ...bar, crossesGap: true } : bar
  })
}

/** Reads back from the newest row until `limit` bars are found or the span ends. */
async function collect(
  { market, width, asOf, before, limit }: CandleQuery,
  span: Span | null,
  read: (bounds: Bounds) => Promise<CandleRow[]>,
): Promise<CandleRow[]> {
  if (span === null || limit <= 0) return []
  // The last bucket that starts before `before` ends after it.
  const end = Math.min(asOf, Math.ceil(before / width) * width - 1)
  let candleRows: CandleRow[] = []
  for (const { from, to } of windowsBack(span, end, limit * width, width)) {
    const rows = await read({ market, width, asOf, from, to })
    candleRows = [...rows.filter((bar) => bar.open >= 0), ...candleRows]
    if (candleRows.length >= limit) break
  }
  return candleRows.sort((a, b) => a.start - b.start).slice(-limit)
}

async function bars(
  session: Session,
  sql: string,
  bounds: Bounds,
  source: CandleSource,
): Promise<CandleRow[]> {
  const rows: CandleRow[] = []
  for (const chunk of await session.read(sql, bounds)) {
    const start = readDoubles(chunk, 0)
    const [open, high] = [readIntegers(chunk, 1), readIntegers(chunk, 2)]
    const [low, close] = [readIntegers(chunk, 3), readIntegers(chunk, 4)]
    const volume = readDoubles(chunk, 5)
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({
        start: start[i] as Millis,
        open: open[i] as PriceE4,
        high: high[i] as PriceE4,
        low: low[i] as PriceE4,
        close: close[i] as PriceE4,
        volume: orNull(volume[i]) as SizeE6 | null,
        source,
        crossesGap: false,
      })
    }
  }
  return rows
}

/** Native bars are stored under their end; their starts are at most one requested width earlier. */
const startsOf = (span: Span | null, width: number): Span | null =>
  span === null ? null : { ...span, first: span.first - width }

/** The span of all sources; null when there are none. */
const join = (...spans: readonly (Span | null)[]): Span | null =>
  spans.reduce((all, span) => {
    if (all === null || span === null) return all ?? span
    return {
      first: Math.min(all.first, span.first),
      last: Math.max(all.last, span.last),
      rows: all.rows + span.rows,
    }
  }, null)
