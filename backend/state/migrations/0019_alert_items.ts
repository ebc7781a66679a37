import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Items that alert rules fired for. */
export const alertItems: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_item')
      .addColumn('rule_id', 'text', (column) =>
        column.notNull().references('alert_rule.id').onDelete('cascade'),
      )
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_item_of_rule', ['rule_id', 'item_id'])
      .execute()
    await db.schema.createIndex('alert_item_at').on('alert_item').column('at').execute()
  },
}
