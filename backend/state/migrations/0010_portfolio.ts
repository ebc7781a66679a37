import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Portfolio configurations, trade intents and ledgers of users. */
export const portfolio: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('portfolio')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('account.id').onDelete('cascade'),
      )
      .addColumn('config', 'text', (column) => column.notNull())
      .addColumn('is_configured', 'integer', (column) => column.notNull())
      .addColumn('halted_at', 'integer')
      .addColumn('halt_reason', 'text')
      .addColumn('paper_epoch', 'integer', (column) => column.notNull())
      .addColumn('epoch_began_at', 'integer')
      .addColumn('last_seq', 'integer', (column) => column.notNull())
      .addColumn('report', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('intent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('ticker', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('intent_of_user')
      .on('intent')
      .columns(['user_id', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('intent_status').on('intent').column('status').execute()
    await db.schema
      .createTable('ledger_entry')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('event_type', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('epoch', 'integer', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('venue', 'text')
      .addColumn('ticker', 'text')
      .addColumn('confidence', 'text', (column) => column.notNull())
      .addColumn('occurred_at', 'integer', (column) => column.notNull())
      .addColumn('cash_delta', 'integer', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('ledger_entry_place', ['user_id', 'seq'])
      .addUniqueConstraint('ledger_entry_key', ['user_id', 'key'])
      .execute()
    await db.schema
      .createIndex('ledger_entry_time')
      .on('ledger_entry')
      .columns(['user_id', 'occurred_at', 'seq'])
      .execute()
    await db.schema
      .createIndex('ledger_entry_market')
      .on('ledger_entry')
      .columns(['user_id', 'mode', 'epoch', 'ticker'])
      .execute()
    await db.schema
      .createTable('repeated_write')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('body_hash', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('made_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('repeated_write_key', ['user_id', 'route', 'key'])
      .execute()
  },
}
