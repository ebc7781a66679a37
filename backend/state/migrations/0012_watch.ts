import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Watched objects, alert rules and the deliveries of fired alerts. */
export const watch: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('watched_object')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addUniqueConstraint('watched_object_ref', ['user_id', 'kind', 'ref'])
      .execute()
    await db.schema
      .createTable('alert_rule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('object_id', 'text', (column) =>
        column.notNull().references('watched_object.id').onDelete('cascade'),
      )
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('condition', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('alert_delivery')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('rule_id', 'text')
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('dedupe_key', 'text', (column) => column.unique())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    for (const table of ['watched_object', 'alert_rule', 'alert_delivery']) {
      await db.schema
        .createIndex(`${table}_of_user`)
        .on(table)
        .columns(['user_id', 'created_at', 'id'])
        .execute()
    }
    await db.schema.createIndex('alert_rule_state').on('alert_rule').column('state').execute()
  },
}
