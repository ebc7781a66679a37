import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { IndexAnswer, IndexHistory, IndexHistoryQuery, IndexQuery } from './index.schema.ts'
import type { IndexReads } from './index.service.ts'

export const indexRoutes = (reads: IndexReads) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routeWords)
    .get(
      '/index',
      async ({ query, set }) =>
        dated(set, await reads.index(query), ({ timestamp }) => [timestamp]),
      {
        query: IndexQuery,
        auth: 'optional',
        cache: 30,
        bodies: answers(IndexAnswer, 400, 404, 429, 503),
        detail: {
          operationId: 'index.current',
          summary: 'The four gauges and what they are made of',
        },
      },
    )
    .get(
      '/index/history',
      async ({ query, set }) =>
        dated(set, await reads.history(query), ({ points }) => points.map(({ at }) => at)),
      {
        query: IndexHistoryQuery,
        auth: 'optional',
        cache: 30,
        bodies: answers(IndexHistory, 400, 429, 503),
        detail: {
          operationId: 'index.history',
          summary: 'Gauges of the world or a theme over time, oldest first',
        },
      },
    )
