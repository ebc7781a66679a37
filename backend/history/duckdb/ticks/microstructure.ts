import { HOUR, type Millis, type MoneyE6, type SizeE6 } from '../../../domain/units.ts'
import type { MarketId } from '../../market-key.ts'
import type { MicrostructureRow } from '../../market-rows.ts'
import { orNull, priceOrNull, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { tradesFrom, type Corrections } from './corrections.ts'
import { depthOf } from './newest.ts'

const IN_RANGE = `market = $market::integer and ts >= $from and ts <= $asOf and ts + lag <= $asOf`
const START = `ts // ${HOUR} * ${HOUR}`
/** Hours with any row, methodology part M. */
const hoursSql = (isCorrected: boolean): string => `
  with quoted as (
    select ${START} as hour, arg_max(struct_pack(bid, ask), (ts, lag, part, seq)) as quote
      from quote_all where ${IN_RANGE} group by hour),
  booked as (
    select ${START} as hour,
           arg_max(struct_pack(bid := ${depthOf('bid')}, ask := ${depthOf('ask')}), (ts, lag, part, seq)) as depth
      from book_all where ${IN_RANGE} group by hour),
  traded as (
    select ${START} as hour, count(*) as trades,
           coalesce(sum(size) filter (where taker = 1), 0) as bought,
           coalesce(sum(size) filter (where taker = 2), 0) as sold
      from ${tradesFrom(isCorrected)} where ${IN_RANGE} group by hour)
  select hour::double, coalesce(quote.bid, -1), coalesce(quote.ask, -1),
         coalesce(depth.bid::double, 'nan'), coalesce(depth.ask::double, 'nan'),
         coalesce(trades, 0)::double, coalesce(bought, 0)::double, coalesce(sold, 0)::double
    from quoted full join booked using (hour) full join traded using (hour)
   order by hour`

/** Hours from the one that holds `from` to `asOf`, ascending; values are those of the hour itself. */
export async function microstructureOf(
  session: Session,
  corrections: Corrections,
  query: { market: MarketId; from: Millis; asOf: Millis },
): Promise<MicrostructureRow[]> {
  const rows: MicrostructureRow[] = []
  const sql = hoursSql(corrections.touches(query.market, query.asOf))
  for (const chunk of await session.read(sql, {
    ...query,
    from: Math.floor(query.from / HOUR) * HOUR,
  })) {
    const [bid, ask] = [readIntegers(chunk, 1), readIntegers(chunk, 2)]
    const [start, bidDepth, askDepth] = [
      readDoubles(chunk, 0),
      readDoubles(chunk, 3),
      readDoubles(chunk, 4),
    ]
    const [trades, boughtSizes, soldSizes] = [
      readDoubles(chunk, 5),
      readDoubles(chunk, 6),
      readDoubles(chunk, 7),
    ]
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({
        start: start[i] as Millis,
        bid: priceOrNull(bid[i]),
        ask: priceOrNull(ask[i]),
        bidDepth: orNull(bidDepth[i]) as MoneyE6 | null,
        askDepth: orNull(askDepth[i]) as MoneyE6 | null,
        trades: trades[i] ?? 0,
        buyVolume: boughtSizes[i] as SizeE6,
        sellVolume: soldSizes[i] as SizeE6,
      })
    }
  }
  return rows
}
