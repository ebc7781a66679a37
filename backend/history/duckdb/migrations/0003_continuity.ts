import type { Migration } from './migration.ts'

/**
 * Statements about the continuity of feeds, and corrections of printed trades. Both are
 * append-only; `rowid` is the order of the statements.
 */
export const continuity: Migration = {
  number: 3,
  statements: [
    `create table coverage (venue varchar, market integer, feed utinyint, state utinyint,
      from_ts bigint, to_ts bigint, known_at bigint, reason varchar)`,
    `create table trade_correction (market integer, trade_id varchar, known_at bigint,
      is_busted boolean, ts bigint, price integer, size bigint, taker utinyint, is_block boolean)`,
  ],
}
