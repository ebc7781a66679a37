import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Chart drawings of users. */
export const chartDrawings: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('chart_drawing')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('ticker', 'text', (column) => column.notNull())
      .addColumn('drawings', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('chart_drawing_of_user', ['user_id', 'ticker'])
      .execute()
  },
}
