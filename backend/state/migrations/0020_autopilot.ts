import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Ticks of the autopilot, the journal of its trades, and its schedule. */
export const autopilot: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, type] of [
      ['last_slot', 'integer'],
      ['schedule_error', 'text'],
      ['cooldown_from', 'integer'],
      ['warned_at', 'integer'],
    ] as const) {
      await db.schema.alterTable('portfolio').addColumn(name, type).execute()
    }
    await db.schema
      .createTable('tick')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('tick_at', 'integer', (column) => column.notNull())
      .addColumn('trigger', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('slot', 'integer')
      .addColumn('record', 'text', (column) => column.notNull())
      .addUniqueConstraint('tick_slot', ['user_id', 'slot'])
      .execute()
    await db.schema
      .createIndex('tick_of_user')
      .on('tick')
      .columns(['user_id', 'tick_at', 'id'])
      .execute()
    await db.schema.createIndex('tick_status').on('tick').column('status').execute()
    await db.schema
      .createTable('trade')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('key', 'text')
      .addColumn('opened_at', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('venue', 'text', (column) => column.notNull())
      .addColumn('ticker', 'text', (column) => column.notNull())
      .addColumn('thesis_id', 'text')
      .addColumn('record', 'text', (column) => column.notNull())
      .addUniqueConstraint('trade_key', ['user_id', 'key'])
      .execute()
    await db.schema
      .createIndex('trade_of_user')
      .on('trade')
      .columns(['user_id', 'opened_at', 'id'])
      .execute()
  },
}
