import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Every state of each thesis with its instant, and its evaluation schedule. */
export const thesisStates: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('thesis_state')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('thesis_id', 'text', (column) =>
        column.notNull().references('thesis.id').onDelete('cascade'),
      )
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('thesis_state_at')
      .on('thesis_state')
      .columns(['thesis_id', 'at', 'id'])
      .execute()
    await sql`insert into thesis_state (id, thesis_id, record, at)
      select 'ts_' || id, id, record, updated_at from thesis`.execute(db)
    await db.schema
      .createTable('thesis_heartbeat')
      .addColumn('thesis_id', 'text', (column) =>
        column.primaryKey().references('thesis.id').onDelete('cascade'),
      )
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('next_run_at', 'integer')
      .execute()
    await db.schema
      .createIndex('thesis_heartbeat_due')
      .on('thesis_heartbeat')
      .column('next_run_at')
      .execute()
  },
}
