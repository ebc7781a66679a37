import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Accounts of external issuers, logins of the command line, and daily usage of each user. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('account').addColumn('issuer', 'text').execute()
    await db.schema.alterTable('account').addColumn('subject', 'text').execute()
    await db.schema
      .createIndex('account_external')
      .unique()
      .on('account')
      .columns(['issuer', 'subject'])
      .where('issuer' as never, 'is not', null as never)
      .execute()
    await db.schema
      .createTable('cli_login')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .addColumn('key_cipher', 'text')
      .execute()
    await db.schema.createIndex('cli_login_expiry').on('cli_login').column('expires_at').execute()
    await db.schema
      .createTable('usage_day')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('requests', 'integer', (column) => column.notNull())
      .addColumn('errors', 'integer', (column) => column.notNull())
      .addColumn('rate_limited', 'integer', (column) => column.notNull())
      .addColumn('model_calls', 'integer', (column) => column.notNull())
      .addColumn('input_tokens', 'integer', (column) => column.notNull())
      .addColumn('output_tokens', 'integer', (column) => column.notNull())
      .addColumn('cost_usd', 'real', (column) => column.notNull())
      .addColumn('latencies', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_day_key', ['user_id', 'key_id', 'route', 'day'])
      .execute()
    await db.schema.createIndex('usage_day_by_day').on('usage_day').column('day').execute()
  },
}
