import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Texts of the service, and a full-text index of them. */
export const content: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('content_item')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('excerpt', 'text', (column) => column.notNull())
      .addColumn('subjects', 'text', (column) => column.notNull())
      .addColumn('body', 'text')
      .addColumn('published_at', 'integer')
      .addColumn('retired_at', 'integer')
      .execute()
    await db.schema
      .createIndex('content_item_by_kind')
      .on('content_item')
      .columns(['kind', 'slug', 'published_at'])
      .execute()
    await sql`create virtual table content_text using fts5(
      title, words, tokenize = 'porter unicode61 remove_diacritics 2')`.execute(db)
  },
}
