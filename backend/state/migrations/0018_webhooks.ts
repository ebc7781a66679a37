import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Webhook endpoints, their attempts, and deliveries of all events on all channels. */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('webhook_endpoint')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addUniqueConstraint('webhook_endpoint_name', ['user_id', 'label', 'url'])
      .execute()
    await db.schema.alterTable('alert_delivery').renameTo('delivery').execute()
    for (const [name, type] of [
      ['channel', 'text'],
      ['endpoint_id', 'text'],
      ['due_at', 'integer'],
      ['body', 'text'],
    ] as const) {
      await db.schema.alterTable('delivery').addColumn(name, type).execute()
    }
    await db.schema
      .createIndex('delivery_due')
      .on('delivery')
      .columns(['status', 'due_at'])
      .execute()
    await db.schema
      .createIndex('delivery_of_endpoint')
      .on('delivery')
      .columns(['endpoint_id', 'created_at', 'id'])
      .execute()
    await db.schema
      .createTable('webhook_attempt')
      .addColumn('delivery_id', 'text', (column) =>
        column.notNull().references('delivery.id').onDelete('cascade'),
      )
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('endpoint_id', 'text', (column) => column.notNull())
      .addColumn('started_at', 'integer', (column) => column.notNull())
      .addColumn('duration_ms', 'integer')
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('response_excerpt', 'text')
      .addColumn('is_test', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('webhook_attempt_of', ['delivery_id', 'n'])
      .execute()
    await db.schema
      .createIndex('webhook_attempt_of_endpoint')
      .on('webhook_attempt')
      .columns(['endpoint_id', 'started_at'])
      .execute()
  },
}
