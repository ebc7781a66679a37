import type { DuckDBConnection } from '@duckdb/node-api'
import { contentHashSql } from '../../../history/duckdb/imports/staged-content.ts'
import type { StagedContent, StagedKind } from '../../../history/history-copies.ts'
import { quoteText } from '../reader-database.ts'

/** Columns `rows` and `content_hash` of an aggregate over the rows of a staged file. */
export const contentColumns = (kind: StagedKind): string =>
  `count(*)::double as rows, ${contentHashSql(kind)} as content_hash`

/** The content that a row with the columns above states. */
export const contentIn = (row: Record<string, unknown> | undefined): StagedContent => ({
  rows: Number(row?.['rows'] ?? 0),
  hash: typeof row?.['content_hash'] === 'string' ? row['content_hash'] : '0',
})

/** Reads a staged file back; the history must find the same content in it. */
export async function contentOf(
  db: DuckDBConnection,
  kind: StagedKind,
  path: string,
): Promise<StagedContent> {
  const result = await db.runAndReadAll(
    `select ${contentColumns(kind)} from read_parquet(${quoteText(path)})`,
  )
  return contentIn(result.getRowObjectsJS()[0])
}
