import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const access: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('account')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('tier', 'text', (column) => column.notNull())
      .addColumn('is_owner', 'integer', (column) => column.notNull())
      .addColumn('is_admin', 'integer', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('account_one_owner')
      .unique()
      .on('account')
      .column('is_owner')
      .where('is_owner' as never, '=', 1 as never)
      .execute()
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('last_seen_at', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .addColumn('ended_at', 'integer')
      .execute()
    await db.schema.createIndex('session_user').on('session').column('user_id').execute()
    await db.schema
      .createTable('access_key')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('space', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('key_prefix', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('last_used_at', 'integer')
      .addColumn('revoked_at', 'integer')
      .execute()
    await db.schema
      .createIndex('access_key_prefix')
      .on('access_key')
      .columns(['space', 'key_prefix'])
      .execute()
    await db.schema
      .createIndex('access_key_user')
      .on('access_key')
      .columns(['user_id', 'space'])
      .execute()
  },
}
