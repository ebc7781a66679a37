import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const exports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('export_run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('row_count', 'integer', (column) => column.notNull())
      .addColumn('byte_count', 'integer', (column) => column.notNull())
      .addColumn('files', 'text', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('started_at', 'integer')
      .addColumn('ended_at', 'integer')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
  },
}
