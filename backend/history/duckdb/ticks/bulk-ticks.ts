import type {
  BulkQuery,
  HistoryColumns,
  PrintedColumns,
  QuotedColumns,
} from '../../context-store.ts'
import { NO_PRICE } from '../../history-batch.ts'
import type { MarketId } from '../../market-key.ts'
import { readBytes, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import { tradesOfMany, type Corrections } from './corrections.ts'

const rangeSql = ({ markets, venue }: BulkQuery): string => `
  ts > $from and ts <= $to and ts <= $asOf and ts + lag <= $asOf
  ${markets === null ? '' : 'and market in (select unnest($markets))'}
  ${venue === undefined ? '' : 'and market in (select id from market where venue = $venue)'}`

const boundsOf = ({ from, to, asOf, markets, venue }: BulkQuery): Bounds => ({
  from,
  to,
  asOf,
  ...(markets === null ? {} : { markets }),
  ...(venue === undefined ? {} : { venue }),
})

/** Trades of many markets without block trades, by market, time, then trade id; see the port. */
export async function printsOf(
  session: Session,
  corrections: Corrections,
  query: BulkQuery,
): Promise<PrintedColumns> {
  let columns = noPrints(0)
  if (query.markets?.length === 0) return columns
  const correctedMarkets = corrections.marketsCorrectedBy(query.asOf)
  const isCorrected = correctedMarkets.length > 0
  await session.readBulk(
    `select market, ts::double, price, size::double, taker
       from ${tradesOfMany(isCorrected)} where not is_block and ${rangeSql(query)}
      order by market, ts, trade_id`,
    { ...boundsOf(query), ...(isCorrected ? { touched: correctedMarkets } : {}) },
    (rows) => (columns = noPrints(rows)),
    (chunk, row) => {
      columns.market.set(readIntegers(chunk, 0), row)
      columns.ts.set(readDoubles(chunk, 1), row)
      columns.price.set(readIntegers(chunk, 2), row)
      columns.size.set(readDoubles(chunk, 3), row)
      columns.taker.set(readBytes(chunk, 4), row)
    },
  )
  return columns
}

/** Quotes of many markets, by market, time, then arrival; see the port. */
export async function quotesOfMany(session: Session, query: BulkQuery): Promise<QuotedColumns> {
  let columns = noQuotes(0)
  if (query.markets?.length === 0) return columns
  await session.readBulk(
    `select market, ts::double, coalesce(bid, ${NO_PRICE}), coalesce(ask, ${NO_PRICE})
       from quote_all where ${rangeSql(query)} order by market, ts, lag, part, seq`,
    boundsOf(query),
    (rows) => (columns = noQuotes(rows)),
    (chunk, row) => {
      columns.market.set(readIntegers(chunk, 0), row)
      columns.ts.set(readDoubles(chunk, 1), row)
      columns.bid.set(readIntegers(chunk, 2), row)
      columns.ask.set(readIntegers(chunk, 3), row)
    },
  )
  return columns
}

const LATE = `
  select distinct market
    from (select market, ts, lag from trade_all union all select market, ts, lag from quote_all)
   where ts > $from and ts <= $before and ts + lag > $before and ts + lag <= $asOf`

/** Markets whose past has changed since `before`; see the port. */
export async function lateMarkets(
  session: Session,
  corrections: Corrections,
  { from, before, asOf }: Parameters<HistoryColumns['lateMarkets']>[0],
): Promise<MarketId[]> {
  const changedMarkets = new Set(corrections.marketsCorrectedBetween(before, asOf))
  for (const chunk of await session.read(LATE, { from, before, asOf })) {
    for (const market of readIntegers(chunk, 0)) changedMarkets.add(market)
  }
  return [...changedMarkets]
}

const noPrints = (rows: number): PrintedColumns => ({
  market: new Int32Array(rows),
  ts: new Float64Array(rows),
  price: new Int32Array(rows),
  size: new Float64Array(rows),
  taker: new Uint8Array(rows),
})

const noQuotes = (rows: number): QuotedColumns => ({
  market: new Int32Array(rows),
  ts: new Float64Array(rows),
  bid: new Int32Array(rows),
  ask: new Int32Array(rows),
})
