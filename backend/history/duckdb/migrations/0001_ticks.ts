import type { Migration } from './migration.ts'

const bookLevels = ['bid', 'ask']
  .flatMap((side) =>
    [1, 2, 3, 4, 5].map((n) => `${side}_price_${n} integer, ${side}_size_${n} bigint`),
  )
  .join(', ')

const tickTables = {
  trade: 'trade_id varchar, price integer, size bigint, taker utinyint, is_block boolean',
  quote: 'bid integer, ask integer, bid_size bigint, ask_size bigint',
  book: bookLevels,
  candle:
    'start bigint, width bigint, open integer, high integer, low integer, close integer, ' +
    'volume bigint, bid_close integer, ask_close integer',
  activity: 'volume bigint, volume_24h bigint, open_interest bigint, last_price integer',
}

const dayBounds = 'market integer, day bigint, first_ts bigint, min_known bigint, max_known bigint'

/**
 * Ticks: rows arrive in `<kind>_recent` and are moved into `<kind>`, sorted by (market, ts). The
 * view `<kind>_all` reads both; (ts, lag, part, seq) is the order of arrival within a market, the
 * same before and after a move.
 */
export const ticks: Migration = {
  number: 1,
  statements: [
    ...Object.entries(tickTables).flatMap(([kind, columns]) => [
      `create table ${kind} (market integer, ts bigint, lag bigint, origin utinyint, ${columns})`,
      `create table ${kind}_recent (market integer, ts bigint, lag bigint, origin utinyint, ${columns})`,
      `create view ${kind}_all as select *, 0 as part, rowid as seq from ${kind}
        union all select *, 1 as part, rowid as seq from ${kind}_recent`,
    ]),
    // Bounds of the sorted rows of each market, so that a read can limit its range.
    `create table market_span (kind utinyint, market integer, first_ts bigint, last_ts bigint,
      row_count bigint, generation bigint)`,
    // One row per market and UTC day of sorted rows, exact once all of them were known (max_known).
    `create table trade_day (${dayBounds}, last_ts bigint, last_id varchar, last_price integer,
      generation bigint)`,
    `create table quote_day (${dayBounds}, last_ts bigint, last_lag bigint, bid integer, ask integer,
      bid_size bigint, ask_size bigint, generation bigint)`,
    `create table book_day (${dayBounds}, last_ts bigint, last_lag bigint, bid_depth bigint,
      ask_depth bigint, generation bigint)`,
    `create table activity_day (${dayBounds}, last_ts bigint, last_lag bigint, volume bigint,
      volume_24h bigint, open_interest bigint, last_price integer, generation bigint)`,
  ],
}
