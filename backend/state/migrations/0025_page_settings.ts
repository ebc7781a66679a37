import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Settings of the terminal that follow a user to other machines. */
export const pageSettings: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('page_settings')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('account.id').onDelete('cascade'),
      )
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
  },
}
