import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The index of a market's ledger entries follows their order in time. Without the order, SQLite
 * read all entries of a user by time in order to find those of one market.
 */
export const ledgerByMarket: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('ledger_entry_market').execute()
    await db.schema
      .createIndex('ledger_entry_market')
      .on('ledger_entry')
      .columns(['user_id', 'mode', 'epoch', 'ticker', 'occurred_at', 'seq'])
      .execute()
  },
}
