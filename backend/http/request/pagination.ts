import { InvalidInput } from '../../lib/errors.ts'

/**
 * Opaque cursors. A cursor carries its query (sort and filters) and the position after which the
 * next page starts, so a page depends on the cursor alone.
 */
export interface Cursor<Query> {
  readonly query: Query
  /** Sort key and ticker (or id) of the last row served. */
  readonly after: readonly [number | null, string]
}

export const encodeCursor = <Query>(cursor: Cursor<Query>): string =>
  Buffer.from(JSON.stringify([cursor.query, ...cursor.after])).toString('base64url')

/**
 * @param check whether the carried query has the expected shape
 * @throws InvalidInput "cursor is invalid"
 */
export function decodeCursor<Query>(
  text: string,
  check: (query: unknown) => query is Query,
): Cursor<Query> {
  const invalid = () => new InvalidInput('cursor is invalid')
  if (!/^[\w-]{1,8000}$/.test(text)) throw invalid()
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    throw invalid()
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw invalid()
  const [query, key, id] = parts as readonly unknown[]
  const isKey = (value: unknown): value is number | null => value === null || Number.isFinite(value)
  if (!isKey(key) || typeof id !== 'string' || !check(query)) throw invalid()
  return { query, after: [key, id] }
}
