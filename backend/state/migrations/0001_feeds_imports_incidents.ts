import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const feedsImportsIncidents: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('feed')
      .addColumn('venue', 'text', (column) => column.primaryKey())
      .addColumn('backfilled_at', 'integer')
      .addColumn('ended_until', 'integer')
      .addColumn('trades_until', 'integer')
      .execute()
    await db.schema
      .createTable('import_run')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('files', 'text', (column) => column.notNull())
      .addColumn('started_at', 'integer')
      .addColumn('ended_at', 'integer')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('incident')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('component', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('impact', 'text', (column) => column.notNull())
      .addColumn('started_at', 'integer', (column) => column.notNull())
      .addColumn('resolved_at', 'integer')
      .execute()
    await db.schema.createIndex('incident_started').on('incident').column('started_at').execute()
    await db.schema
      .createTable('incident_update')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('incident_id', 'text', (column) =>
        column.notNull().references('incident.id').onDelete('cascade'),
      )
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()
  },
}
