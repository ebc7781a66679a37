import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Views and strategies that users write for their portfolio. */
export const portfolioTexts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('portfolio_text')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('rank', 'integer', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('portfolio_text_order')
      .on('portfolio_text')
      .columns(['user_id', 'kind', 'rank', 'id'])
      .execute()
  },
}
