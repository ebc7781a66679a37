import { InvalidInput } from '../../lib/errors.ts'
import * as param from '../../http/params.ts'
import type { Param } from '../../http/params.ts'

export const FORMATS = ['json', 'markdown'] as const
export const format = () => param.oneOf(FORMATS, 'json')

const LARGEST_OFFSET = 100_000
const offset: Param<number> = {
  schema: { type: 'integer', default: 0, minimum: 0, maximum: LARGEST_OFFSET },
  read: (text, name) =>
    param.boundedInteger({ default: 0, min: 0, max: LARGEST_OFFSET }).read(text, name),
}

/** Parameters of every editorial list. */
export const listParams = () => ({
  q: param.text('every word must occur'),
  category: param.text(),
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  offset,
})

/** The slug of an address; longer ones name nothing and are not looked for. */
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

/** One page of a list that is already in its order. */
export function pageOfList<Row>(
  rows: readonly Row[],
  asked: { readonly limit: number; readonly offset: number },
): ListPage<Row> {
  const page = rows.slice(asked.offset, asked.offset + asked.limit)
  return {
    rows: page,
    count: page.length,
    total: rows.length,
    limit: asked.limit,
    offset: asked.offset,
  }
}
