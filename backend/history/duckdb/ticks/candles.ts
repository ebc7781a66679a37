import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { CoverageSpan, CoverageWindow } from '../../coverage.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { MarketId } from '../../market-key.ts'
import type { CandleRow } from '../../market-rows.ts'
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

const knownTrade = (isCorrected: boolean): string => `
  select 1 from ${tradesFrom(isCorrected)}
   where market = $market::integer and ts between $from and $asOf and ts + lag <= $asOf limit 1`
const KNOWN_NATIVE_BAR = `
  select 1 from candle_all
   where market = $market::integer and ts between $from and $asOf and ts + lag <= $asOf
     and volume is not null limit 1`

/** Spans of a feed of the market that were missing as known at `asOf`. */
export type GapsOf = (feed: CoverageFeed, window: CoverageWindow) => readonly CoverageSpan[]

interface CandleSources {
  readonly spans: Spans
  readonly corrections: Corrections
  readonly gapsOf: GapsOf
}

/** The newest `limit` bars that start before `before`, oldest first; see the port. */
export async function candlesOf(
  session: Session,
  { spans, corrections, gapsOf }: CandleSources,
  query: CandleQuery,
): Promise<CandleRow[]> {
  const { market, width, asOf } = query
  const isCorrected = corrections.touches(market, asOf)
  const ofTrades = tradeBars(isCorrected)
  const marked = (feed: CoverageFeed, rows: CandleRow[]): CandleRow[] =>
    markGaps(rows, width, (from, to) => gapsOf(feed, { from, to, asOf }))
  const trades = spans.of('trade', market)
  const natives = spans.of('candle', market)
  const quotes = spans.of('quote', market)

  const traded = await collect(
    query,
    join(trades, startsOf(natives, query.width)),
    async (bounds) => {
      const own = trades === null ? [] : marked('trades', await bars(session, ofTrades, bounds))
      if (natives === null) return own
      // A period with any stored trade, even only a block trade, needs no substitute.
      const onFile = new Set(own.map((bar) => bar.start))
      const others = await bars(session, NATIVE_BARS, bounds)
      return [...own, ...others.filter((bar) => !onFile.has(bar.start))]
    },
  )
  if (traded.length > 0) return traded
  if (await hasVolume(session, query, knownTrade(isCorrected), trades, natives)) return traded

  const priced = await collect(query, startsOf(natives, query.width), (bounds) =>
    bars(session, NATIVE_PRICE_BARS, bounds),
  )
  if (priced.length > 0) return priced
  return collect(query, quotes, async (bounds) =>
    marked('quotes', await bars(session, QUOTE_BARS, bounds)),
  )
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
  let found: CandleRow[] = []
  for (const { from, to } of windowsBack(span, end, limit * width, width)) {
    const rows = await read({ market, width, asOf, from, to })
    found = [...rows.filter((bar) => bar.open >= 0), ...found]
    if (found.length >= limit) break
  }
  return found.sort((a, b) => a.start - b.start).slice(-limit)
}

async function bars(session: Session, sql: string, bounds: Bounds): Promise<CandleRow[]> {
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
        crossesGap: false,
      })
    }
  }
  return rows
}

/** Whether trades or native bars with volume were known at all; prices alone would then mislead. */
async function hasVolume(
  session: Session,
  { market, asOf }: { market: MarketId; asOf: Millis },
  tradeSql: string,
  trades: Span | null,
  natives: Span | null,
): Promise<boolean> {
  const known = async (sql: string, span: Span | null) =>
    span !== null && (await session.read(sql, { market, asOf, from: span.first })).length > 0
  return (await known(tradeSql, trades)) || (await known(KNOWN_NATIVE_BAR, natives))
}

/** Native bars are stored under their end; their starts are at most one requested width earlier. */
const startsOf = (span: Span | null, width: number): Span | null =>
  span === null ? null : { ...span, first: span.first - width }

function join(a: Span | null, b: Span | null): Span | null {
  if (a === null || b === null) return a ?? b
  return {
    first: Math.min(a.first, b.first),
    last: Math.max(a.last, b.last),
    rows: a.rows + b.rows,
  }
}
