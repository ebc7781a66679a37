import { LRUCache } from 'lru-cache'
import type { Ticker } from '../../domain/market.ts'

export type RankOrder = 'asc' | 'desc'
/** A position in a ranking: the key and ticker of a row. */
export type RankPosition = readonly [key: number | null, ticker: Ticker]

/** Compares positions: unknown keys last in both directions, ties by ticker ascending. */
export function comparePositions(order: RankOrder): (a: RankPosition, b: RankPosition) => number {
  const sign = order === 'asc' ? 1 : -1
  return ([a, tickerA], [b, tickerB]) => {
    if (a !== b) {
      if (a === null) return 1
      if (b === null) return -1
      return a < b ? -sign : sign
    }
    return tickerA < tickerB ? -1 : tickerA > tickerB ? 1 : 0
  }
}

/** A row with its position. */
export interface RankedRow<Row> {
  readonly row: Row
  readonly position: RankPosition
}

/** Maximum number of cached filter results per snapshot. */
const MAX_CACHED_SELECTIONS = 48

/**
 * Rankings of rows, valid until the next snapshot. Each sort key is ranked once, on first use;
 * filter results are cached, so that further pages and callers with the same filter read their own
 * rows only.
 */
export class SortedViews<Row extends { readonly ticker: Ticker }, Key extends string> {
  readonly rows: readonly Row[]
  readonly #keys: Readonly<Record<Key, (row: Row) => number | null>>
  readonly #rankedRows = new Map<string, readonly RankedRow<Row>[]>()
  readonly #selections = new LRUCache<string, readonly RankedRow<Row>[]>({
    max: MAX_CACHED_SELECTIONS,
  })

  constructor(rows: readonly Row[], keys: Readonly<Record<Key, (row: Row) => number | null>>) {
    this.rows = rows
    this.#keys = keys
  }

  /**
   * Rows that pass, in rank order.
   * @param filter cache key of the filter: equal keys mean an equal `keep`
   */
  select(
    key: Key,
    order: RankOrder,
    filter: string,
    keep: (row: Row) => boolean,
  ): readonly RankedRow<Row>[] {
    const name = `${key} ${order} ${filter}`
    const existing = this.#selections.get(name)
    if (existing !== undefined) return existing
    const matchingRows = this.#rank(key, order).filter(({ row }) => keep(row))
    this.#selections.set(name, matchingRows)
    return matchingRows
  }

  #rank(key: Key, order: RankOrder): readonly RankedRow<Row>[] {
    const name = `${key} ${order}`
    const existing = this.#rankedRows.get(name)
    if (existing !== undefined) return existing
    const keyOf = this.#keys[key]
    const compare = comparePositions(order)
    const rankedRows = this.rows
      .map((row) => ({ row, position: [keyOf(row), row.ticker] as const }))
      .sort((a, b) => compare(a.position, b.position))
    this.#rankedRows.set(name, rankedRows)
    return rankedRows
  }
}

/** Index of the first row after a position; 0 for null. */
export function indexAfter<Row>(
  rankedRows: readonly RankedRow<Row>[],
  order: RankOrder,
  position: RankPosition | null,
): number {
  if (position === null) return 0
  const compare = comparePositions(order)
  let [low, high] = [0, rankedRows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = rankedRows[middle]
    if (candidate !== undefined && compare(candidate.position, position) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
