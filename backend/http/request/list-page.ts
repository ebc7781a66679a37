import type { Millis } from '../../domain/units.ts'
import { decodeCursor, encodeCursor } from './pagination.ts'

/** Position of a row in a list that is sorted by creation, newest first. */
export interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

export interface Paging {
  readonly limit: number
  readonly cursor: string | null
}

/**
 * A page of rows, newest first. Its cursor is valid for the same filter only.
 * @param filter what is listed
 * @param read rows after a place, at most so many
 * @throws InvalidInput "cursor is invalid"
 */
export async function listPage<Row extends { readonly id: string; readonly createdAt: Millis }>(
  { limit, cursor }: Paging,
  filter: object,
  read: (after: ListPosition | null, max: number) => Promise<Row[]>,
) {
  const query = JSON.stringify(filter)
  const isSame = (carried: unknown): carried is string => carried === query
  const place = cursor === null ? null : decodeCursor(cursor, isSame).after
  const after = place === null ? null : { createdAt: place[0] ?? 0, id: place[1] }
  const found = await read(after, limit + 1)
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  const last = rows.at(-1)
  const nextCursor =
    hasMore && last !== undefined ? encodeCursor({ query, after: [last.createdAt, last.id] }) : null
  return { rows, pageInfo: { limit, nextCursor, hasMore } }
}
