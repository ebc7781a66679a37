import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Secrets of accounts, uploads of credentials, and the encrypted credentials of venues. */
export const venueCredentials: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('account_secret')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('account.id').onDelete('cascade'),
      )
      .addColumn('wrapped', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('credential_upload')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('venue', 'text', (column) => column.notNull())
      .addColumn('salt', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .addColumn('used_at', 'integer')
      .execute()
    await db.schema
      .createIndex('credential_upload_expiry')
      .on('credential_upload')
      .column('expires_at')
      .execute()
    await db.schema
      .createTable('venue_credential')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('venue', 'text', (column) => column.notNull())
      .addColumn('upload_id', 'text', (column) => column.notNull())
      .addColumn('envelope', 'text', (column) => column.notNull())
      .addColumn('label', 'text')
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('venue_credential_key', ['user_id', 'venue'])
      .execute()
  },
}
