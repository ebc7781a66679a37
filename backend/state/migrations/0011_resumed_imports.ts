import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The request of an import, so that an interrupted import can be run again. */
export const resumedImports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('import_run').addColumn('request', 'text').execute()
    await db.schema
      .alterTable('import_run')
      .addColumn('interruptions', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
