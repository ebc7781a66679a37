import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { ContagionAnswer, ContagionQuery } from './contagion.schema.ts'
import type { ContagionReads } from './contagion.service.ts'

export const contagionRoutes = (reads: ContagionReads) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routeWords)
    .get(
      '/contagion',
      async ({ query, set }) =>
        dated(set, await reads.contagion(query), ({ generatedAt }) => [generatedAt]),
      {
        query: ContagionQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(ContagionAnswer, 400, 429, 503),
        detail: {
          operationId: 'contagion.list',
          summary: 'Markets that owe a move after a linked one moved, widest gap first',
        },
      },
    )
