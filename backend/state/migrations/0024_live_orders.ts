import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Live orders, each written before it is sent. */
export const liveOrders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('live_order')
      .addColumn('client_order_id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('tick_id', 'text', (column) => column.notNull())
      .addColumn('decision', 'integer', (column) => column.notNull())
      .addColumn('venue', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addUniqueConstraint('live_order_of_decision', ['user_id', 'tick_id', 'decision'])
      .execute()
    await db.schema
      .createIndex('live_order_status')
      .on('live_order')
      .columns(['user_id', 'status'])
      .execute()
  },
}
