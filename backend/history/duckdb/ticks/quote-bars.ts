import type { Millis } from '../../../domain/units.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { QuoteBarRow } from '../../market-rows.ts'
import { priceOrNull, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { windowsBack, type Spans } from './spans.ts'

type QuoteBarQuery = Parameters<HistoryStore['quoteBars']>[0]

/** Order in which quotes of one instant apply. */
const ORDER = '(ts, lag, part, seq)'
const MARKED_FILTER = 'filter (where mark is not null)'

/** Buckets with any quote: the newest sides, and the midpoints of books up to ten cents wide (A1). */
const QUOTE_BARS = `
  select bucket::double, coalesce(newest.bid, -1), coalesce(newest.ask, -1),
         coalesce(open, -1), coalesce(high, -1), coalesce(low, -1), coalesce(close, -1)
    from (select ts // $width * $width as bucket,
                 arg_max(struct_pack(bid, ask), ${ORDER}) as newest,
                 arg_min(mark, ${ORDER}) ${MARKED_FILTER} as open, max(mark) as high, min(mark) as low,
                 arg_max(mark, ${ORDER}) ${MARKED_FILTER} as close
            from (select *, case when bid > 0 and ask < 10000 and bid < ask and ask - bid <= 1000
                                 then round((bid + ask) / 2)::integer end as mark
                    from quote_all
                   where market = $market::integer and ts between $from and $to
                     and ts <= $asOf and ts + lag <= $asOf)
           group by bucket)
   order by bucket`

/** The newest `limit` bars of quotes that start before `before`, oldest first; see the port. */
export async function quoteBarsOf(
  session: Session,
  spans: Spans,
  { market, width, asOf, before, limit }: QuoteBarQuery,
): Promise<QuoteBarRow[]> {
  const span = spans.get('quote', market)
  if (span === null || limit <= 0) return []
  const end = Math.min(asOf, Math.ceil(before / width) * width - 1)
  let quoteBars: QuoteBarRow[] = []
  for (const { from, to } of windowsBack(span, end, limit * width, width)) {
    const rows = await read(session, { market, width, asOf, from, to })
    quoteBars = [...rows, ...quoteBars]
    if (quoteBars.length >= limit) break
  }
  return quoteBars.slice(-limit)
}

async function read(
  session: Session,
  bounds: Parameters<Session['read']>[1],
): Promise<QuoteBarRow[]> {
  const rows: QuoteBarRow[] = []
  for (const chunk of await session.read(QUOTE_BARS, bounds)) {
    const start = readDoubles(chunk, 0)
    const [bid, ask] = [readIntegers(chunk, 1), readIntegers(chunk, 2)]
    const [open, high] = [readIntegers(chunk, 3), readIntegers(chunk, 4)]
    const [low, close] = [readIntegers(chunk, 5), readIntegers(chunk, 6)]
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({
        start: start[i] as Millis,
        bid: priceOrNull(bid[i]),
        ask: priceOrNull(ask[i]),
        open: priceOrNull(open[i]),
        high: priceOrNull(high[i]),
        low: priceOrNull(low[i]),
        close: priceOrNull(close[i]),
      })
    }
  }
  return rows
}
