import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { ChangesAnswer, ChangesQuery } from '../../contract/market-history.ts'
import type { MarketChanges } from './changes.service.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'

export const changesRoutes = (service: MarketChanges) =>
  new Elysia({ prefix: '/api', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/changes',
      async ({ query, set }) =>
        withLastModified(set, await service.changes(query), ({ changes }) =>
          changes.map(({ at }) => at),
        ),
      {
        query: ChangesQuery,
        auth: 'optional',
        cache: 15,
        response: answers(ChangesAnswer, 400, 410, 429, 503),
        detail: { operationId: 'changes.list', summary: 'Change events of markets, newest first' },
      },
    )
