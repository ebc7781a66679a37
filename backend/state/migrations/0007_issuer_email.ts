import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The email address of an external issuer's account: several accounts may show the same one. */
export const issuerEmail: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('account').addColumn('issuer_email', 'text').execute()
  },
}
