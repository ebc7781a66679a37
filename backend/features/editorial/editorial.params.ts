import { InvalidInput } from '../../lib/errors.ts'

/** Validates a slug; longer texts cannot match and are not looked up. */
export function slugIn(text: string): string {
  if (text.length > 300) throw new InvalidInput('slug must have at most 300 characters')
  return text.toLowerCase()
}

export interface ListPage<Row> {
  readonly rows: Row[]
  readonly count: number
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** One page of a sorted list. */
export function pageOfList<Row>(
  rows: readonly Row[],
  paging: { readonly limit: number; readonly offset: number },
): ListPage<Row> {
  const page = rows.slice(paging.offset, paging.offset + paging.limit)
  return {
    rows: page,
    count: page.length,
    total: rows.length,
    limit: paging.limit,
    offset: paging.offset,
  }
}
