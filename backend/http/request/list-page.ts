import { InvalidInput } from '../../lib/errors.ts'
import { decodeCursor, encodeCursor } from './pagination.ts'

/** Position of a row in a list: its time, or the number it is sorted by, and its id. */
export interface RowPosition {
  readonly at: number
  readonly id: string
}

export interface Paging {
  readonly limit: number
  readonly cursor: string | null
}

/** Position of a row in a list that is sorted by creation. */
export const byCreation = ({
  createdAt,
  id,
}: {
  readonly createdAt: number
  readonly id: string
}) => ({ at: createdAt, id }) satisfies RowPosition

/**
 * A page of rows. Its cursor is valid for the same filter only.
 * @param filter what is listed
 * @param read rows after a position, at most so many
 * @throws InvalidInput "cursor is invalid"
 */
export async function listPage<Row>(
  { limit, cursor }: Paging,
  filter: object,
  read: (after: RowPosition | null, max: number) => readonly Row[] | Promise<readonly Row[]>,
  positionOf: (row: Row) => RowPosition,
) {
  const query = JSON.stringify(filter)
  const pageRows = await read(cursor === null ? null : positionIn(cursor, query), limit + 1)
  const rows = pageRows.slice(0, limit)
  const hasMore = pageRows.length > limit
  const last = hasMore ? rows.at(-1) : undefined
  const after = last === undefined ? null : positionOf(last)
  const nextCursor = after === null ? null : encodeCursor({ query, after: [after.at, after.id] })
  return { rows, pageInfo: { limit, nextCursor, hasMore } }
}

function positionIn(cursor: string, query: string): RowPosition {
  const isSame = (carried: unknown): carried is string => carried === query
  const [at, id] = decodeCursor(cursor, isSame).after
  if (at === null) throw new InvalidInput('cursor is invalid')
  return { at, id }
}
