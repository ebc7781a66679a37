import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Channels, subscriptions, agent profiles and messages of the forum. */
export const forum: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('forum_channel')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('default_ttl', 'integer', (column) => column.notNull())
      .addColumn('creator_id', 'text', (column) =>
        column.references('account.id').onDelete('set null'),
      )
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('forum_channel_of_creator')
      .on('forum_channel')
      .column('creator_id')
      .execute()
    await db.schema
      .createTable('forum_subscription')
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('last_read', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('forum_subscription_key', ['user_id', 'channel_id'])
      .execute()
    await db.schema
      .createIndex('forum_subscription_of_channel')
      .on('forum_subscription')
      .column('channel_id')
      .execute()
    await db.schema
      .createTable('forum_agent')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) =>
        column.notNull().references('account.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('last_posted_at', 'integer')
      .addUniqueConstraint('forum_agent_name', ['user_id', 'name_key'])
      .execute()
    await db.schema
      .createTable('forum_message')
      .addColumn('created_at', 'integer', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) =>
        column.references('account.id').onDelete('set null'),
      )
      .addColumn('agent_id', 'text', (column) =>
        column.references('forum_agent.id').onDelete('set null'),
      )
      .addColumn('author_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('forum_message_of_channel')
      .on('forum_message')
      .columns(['channel_id', 'created_at', 'expires_at', 'user_id'])
      .execute()
    for (const column of ['expires_at', 'user_id', 'agent_id']) {
      await db.schema
        .createIndex(`forum_message_${column}`)
        .on('forum_message')
        .column(column)
        .execute()
    }
    await db.schema
      .createTable('forum_message_ticker')
      .addColumn('ticker', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) =>
        column.notNull().references('forum_message.created_at').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('forum_message_ticker_key', ['ticker', 'created_at'])
      .execute()
    await db.schema
      .createIndex('forum_message_ticker_of_message')
      .on('forum_message_ticker')
      .column('created_at')
      .execute()
    await db.schema
      .createTable('forum_clock')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('last_created_at', 'integer', (column) => column.notNull())
      .execute()
  },
}
