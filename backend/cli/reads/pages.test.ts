import { expect, it } from 'vitest'
import type { Client, Query } from '../client.ts'
import { jsonOf } from '../route.ts'
import { pagesOf } from './pages.ts'

type Pages = Readonly<Record<string, object>>
const read = async (pages: Pages, query: Query, all: boolean, maxPageSize = 200) => {
  const queries: Query[] = []
  const client = {
    get: (_path: string, sent: Query) => {
      queries.push(sent)
      return Promise.resolve(jsonOf(pages[String(sent['cursor'])]))
    },
  } as unknown as Client
  const list = { key: 'rows', maxPageSize }
  const { body, nextCursor } = await pagesOf(client, '/api/watch', query, list, all)
  return { queries, nextCursor, page: JSON.parse(body) as object }
}
const TWO: Pages = {
  null: { rows: [1, 2], nextCursor: 'b', count: 2, hasMore: true, asOf: 'now' },
  b: { rows: [3], nextCursor: null, count: 1, hasMore: false },
}

it('returns one page unchanged', async () => {
  expect(await read(TWO, {}, false)).toEqual({
    queries: [{ limit: null, cursor: null }],
    nextCursor: 'b',
    page: TWO['null'],
  })
  expect((await read(TWO, { cursor: 'b', limit: 5 }, false)).queries).toEqual([
    { limit: 5, cursor: 'b' },
  ])
})

it('joins the rows of all pages in the first', async () => {
  expect(await read(TWO, {}, true)).toEqual({
    queries: [
      { limit: 200, cursor: null },
      { limit: 200, cursor: 'b' },
    ],
    nextCursor: null,
    page: { rows: [1, 2, 3], nextCursor: null, count: 3, hasMore: false, asOf: 'now' },
  })
})

it('returns an only page unchanged', async () => {
  const only = { rows: [1], nextCursor: null, hasMore: true }
  expect((await read({ null: only }, {}, true)).page).toEqual(only)
})

it('keeps a limit that was given, and sends none to a route without one', async () => {
  expect((await read(TWO, { limit: 1 }, true)).queries[0]).toEqual({ limit: 1, cursor: null })
  expect((await read(TWO, {}, true, 0)).queries[0]).toEqual({ limit: null, cursor: null })
})

it('ends at a cursor that repeats', async () => {
  const repeats = { rows: [3], nextCursor: 'b' }
  expect((await read({ ...TWO, b: repeats }, {}, true)).page).toMatchObject({
    rows: [1, 2, 3],
    nextCursor: null,
  })
})
