import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { ContagionAnswer, ContagionQuery } from '../../contract/indices.ts'
import type { ContagionService } from './contagion.service.ts'

export const contagionRoutes = (service: ContagionService) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routePolicies)
    .get(
      '/contagion',
      async ({ query, set }) =>
        withLastModified(set, await service.contagion(query), ({ generatedAt }) => [generatedAt]),
      {
        query: ContagionQuery,
        auth: 'optional',
        cache: 60,
        response: answers(ContagionAnswer, 400, 429, 503),
        detail: {
          operationId: 'contagion.read',
          summary: 'Markets expected to follow a linked market’s move, widest gap first',
        },
      },
    )
