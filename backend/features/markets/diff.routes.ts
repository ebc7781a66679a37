import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { DiffAnswer, DiffQuery } from '../../contract/market-history.ts'
import type { MarketDiffService } from './diff.service.ts'

export const diffRoutes = (service: MarketDiffService) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/diff',
      async ({ query, set }) => withLastModified(set, await service.diff(query), ({ to }) => [to]),
      {
        query: DiffQuery,
        auth: 'optional',
        cache: 60,
        response: answers(DiffAnswer, 400, 429, 503),
        detail: {
          operationId: 'diff.read',
          summary: 'Markets that moved, were listed, settled or changed their regime over a window',
        },
      },
    )
