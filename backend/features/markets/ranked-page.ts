import { indexAfter } from '../../computed/snapshot/sorted-views.ts'
import type { RankedRow, RankOrder, RankPosition } from '../../computed/snapshot/sorted-views.ts'
import { encodeCursor } from '../../http/request/pagination.ts'

/** A page of a fixed ranking. */
export interface CutPage<Served> {
  readonly rows: readonly Served[]
  readonly hasMore: boolean
  /** Cursor after the last row examined; null at the end. */
  nextCursor(query: object): string | null
}

/**
 * Walks a ranking from a position until `limit` rows are served.
 * @param serve builds the current row; null leaves it out
 */
export function pageFrom<Row, Served>(
  rankedRows: readonly RankedRow<Row>[],
  order: RankOrder,
  after: RankPosition | null,
  limit: number,
  serve: (row: Row) => Served | null,
): CutPage<Served> {
  const rows: Served[] = []
  let index = indexAfter(rankedRows, order, after)
  let last = after
  for (; rows.length < limit; index++) {
    const next = rankedRows[index]
    if (next === undefined) break
    last = next.position
    const servedRow = serve(next.row)
    if (servedRow !== null) rows.push(servedRow)
  }
  const hasMore = index < rankedRows.length
  return {
    rows,
    hasMore,
    nextCursor: (query) => (hasMore && last !== null ? encodeCursor({ query, after: last }) : null),
  }
}
