import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { ChangesAnswer, ChangesQuery } from './changes.schema.ts'
import type { MarketChanges } from './changes.service.ts'
import { dated } from '../../http/dated.ts'

export const changesRoutes = (service: MarketChanges) =>
  new Elysia({ prefix: '/api', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/changes',
      async ({ query, set }) =>
        dated(set, await service.changes(query), ({ changes }) => changes.map(({ at }) => at)),
      {
        query: ChangesQuery,
        auth: 'optional',
        cache: 15,
        bodies: answers(ChangesAnswer, 400, 410, 429, 503),
        detail: { operationId: 'changes.list', summary: 'What happened to markets, newest first' },
      },
    )
