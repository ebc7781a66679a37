import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const feedAlive: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('feed').addColumn('alive_until', 'integer').execute()
  },
}
