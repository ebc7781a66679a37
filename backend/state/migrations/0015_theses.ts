import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Theses with their signals and evaluations. */
export const theses: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('thesis')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.unique())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('thesis_of_user')
      .on('thesis')
      .columns(['user_id', 'updated_at', 'id'])
      .execute()
    await db.schema
      .createTable('thesis_signal')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('thesis_id', 'text', (column) =>
        column.notNull().references('thesis.id').onDelete('cascade'),
      )
      .addColumn('evaluation_id', 'text')
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('thesis_signal_pending')
      .on('thesis_signal')
      .columns(['thesis_id', 'evaluation_id', 'created_at'])
      .execute()
    await db.schema
      .createTable('thesis_evaluation')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('thesis_id', 'text', (column) =>
        column.notNull().references('thesis.id').onDelete('cascade'),
      )
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('evaluated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('thesis_evaluation_newest')
      .on('thesis_evaluation')
      .columns(['thesis_id', 'evaluated_at'])
      .execute()
  },
}
