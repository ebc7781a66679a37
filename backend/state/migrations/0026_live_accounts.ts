import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The known state of users' accounts at the exchange, and the account of each order. */
export const liveAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('portfolio').addColumn('live_account', 'text').execute()
    await db.schema
      .alterTable('live_order')
      .addColumn('epoch', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
