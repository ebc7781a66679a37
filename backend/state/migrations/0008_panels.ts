import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Boards of market watch: their panels, claims of manual runs, and results of runs. */
export const panels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('dashboard')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().unique().references('account.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('panel')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('sort_idx', 'integer', (column) => column.notNull())
      .addColumn('spec', 'text', (column) => column.notNull())
      .addColumn('spec_version', 'integer', (column) => column.notNull())
      .addColumn('is_scheduled', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('panel_of_user').on('panel').column('user_id').execute()
    await db.schema
      .createTable('panel_claim')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('panel_id', 'text', (column) =>
        column.notNull().references('panel.id').onDelete('cascade'),
      )
      .addColumn('claimed_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('panel_claim_key', ['user_id', 'panel_id'])
      .execute()
    await db.schema.createIndex('panel_claim_panel').on('panel_claim').column('panel_id').execute()
    await db.schema
      .createTable('panel_outcome')
      .addColumn('panel_id', 'text', (column) =>
        column.primaryKey().references('panel.id').onDelete('cascade'),
      )
      .addColumn('spec_version', 'integer', (column) => column.notNull())
      .addColumn('ended_at', 'integer')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('failed_at', 'integer')
      .addColumn('reason', 'text')
      .addColumn('message', 'text')
      .execute()
    await db.schema
      .createTable('panel_run_minute')
      .addColumn('minute', 'integer', (column) => column.notNull())
      .addColumn('trigger', 'text', (column) => column.notNull())
      .addColumn('is_success', 'integer', (column) => column.notNull())
      .addColumn('runs', 'integer', (column) => column.notNull())
      .addColumn('latencies', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('panel_run_minute_key', ['minute', 'trigger', 'is_success'])
      .execute()
    await db.schema
      .createTable('panel_run_error')
      .addColumn('run_id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('panel_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('panel_run_error_at').on('panel_run_error').column('at').execute()
    await db.schema
      .createIndex('panel_run_error_user')
      .on('panel_run_error')
      .column('user_id')
      .execute()
  },
}
