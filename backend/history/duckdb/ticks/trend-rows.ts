import type { ClosingColumns, TradedColumns, TrendQuery, TrendRows } from '../../trend-reads.ts'
import { readBytes, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { tradesOfMany, type Corrections } from './corrections.ts'
import { coverageOfMany } from '../coverage/coverage.ts'
import type { MarketRegistry } from '../facts/registry.ts'

const CLOSINGS = `select market, known_at::double, coalesce(close_time::double, 'nan')
  from market_version where known_at <= $asOf and market in (select unnest($markets))
  order by market, known_at, seq`

/** Trades, close times and coverage of many markets; see the port. */
export async function trendRows(
  session: Session,
  parts: { readonly corrections: Corrections; readonly registry: MarketRegistry },
  query: TrendQuery,
): Promise<TrendRows> {
  return {
    trades: await readTradeTotals(session, parts.corrections, query),
    closings: await closingsOf(session, query),
    coverage: await coverageOfMany(session, parts.registry, { ...query, feed: 'trades' }),
  }
}

async function readTradeTotals(
  session: Session,
  corrections: Corrections,
  { from, to, asOf, markets }: TrendQuery,
): Promise<TradedColumns> {
  let columns = noTrades(0)
  if (markets.length === 0) return columns
  const correctedMarkets = corrections.marketsCorrectedBy(asOf)
  const isCorrected = correctedMarkets.length > 0
  await session.readBulk(
    `select market, ts::double, price, size::double, is_block::utinyint
       from ${tradesOfMany(isCorrected)}
      where ts > $from and ts <= $to and ts <= $asOf and ts + lag <= $asOf
        and market in (select unnest($markets))
      order by market, ts, trade_id`,
    { from, to, asOf, markets, ...(isCorrected ? { touched: correctedMarkets } : {}) },
    (rows) => (columns = noTrades(rows)),
    (chunk, row) => {
      columns.market.set(readIntegers(chunk, 0), row)
      columns.ts.set(readDoubles(chunk, 1), row)
      columns.price.set(readIntegers(chunk, 2), row)
      columns.size.set(readDoubles(chunk, 3), row)
      columns.isBlock.set(readBytes(chunk, 4), row)
    },
  )
  return columns
}

async function closingsOf(
  session: Session,
  { asOf, markets }: TrendQuery,
): Promise<ClosingColumns> {
  let columns = noClosings(0)
  if (markets.length === 0) return columns
  await session.readBulk(
    CLOSINGS,
    { asOf, markets },
    (rows) => (columns = noClosings(rows)),
    (chunk, row) => {
      columns.market.set(readIntegers(chunk, 0), row)
      columns.knownAt.set(readDoubles(chunk, 1), row)
      columns.closeTime.set(readDoubles(chunk, 2), row)
    },
  )
  return columns
}

const noTrades = (rows: number): TradedColumns => ({
  market: new Int32Array(rows),
  ts: new Float64Array(rows),
  price: new Int32Array(rows),
  size: new Float64Array(rows),
  isBlock: new Uint8Array(rows),
})

const noClosings = (rows: number): ClosingColumns => ({
  market: new Int32Array(rows),
  knownAt: new Float64Array(rows),
  closeTime: new Float64Array(rows),
})
