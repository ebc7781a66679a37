import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Backtests of users and their results. */
export const backtests: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backtest_run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('strategy', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('report', 'text')
      .addColumn('error', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'integer')
      .addColumn('ended_at', 'integer')
      .execute()
    await db.schema
      .createIndex('backtest_run_user')
      .on('backtest_run')
      .columns(['user_id', 'created_at'])
      .execute()
  },
}
