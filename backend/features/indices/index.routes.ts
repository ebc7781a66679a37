import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { IndexAnswer, IndexHistory, IndexHistoryQuery, IndexQuery } from '../../contract/indices.ts'
import type { IndexService } from './index.service.ts'

export const indexRoutes = (service: IndexService) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routePolicies)
    .get(
      '/index',
      async ({ query, set }) =>
        withLastModified(set, await service.index(query), ({ timestamp }) => [timestamp]),
      {
        query: IndexQuery,
        auth: 'optional',
        cache: 30,
        response: answers(IndexAnswer, 400, 404, 429, 503),
        detail: {
          operationId: 'index.read',
          summary: 'The four gauges and their components',
        },
      },
    )
    .get(
      '/index/history',
      async ({ query, set }) =>
        withLastModified(set, await service.history(query), ({ points }) =>
          points.map(({ at }) => at),
        ),
      {
        query: IndexHistoryQuery,
        auth: 'optional',
        cache: 30,
        response: answers(IndexHistory, 400, 429, 503),
        detail: {
          operationId: 'index.history',
          summary: 'Gauges of the world or a theme over time, oldest first',
        },
      },
    )
