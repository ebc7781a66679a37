import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { DiffAnswer, DiffQuery } from './diff.schema.ts'
import type { MarketDiffReads } from './diff.service.ts'

export const diffRoutes = (reads: MarketDiffReads) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routeWords)
    .get('/diff', async ({ query, set }) => dated(set, await reads.diff(query), ({ to }) => [to]), {
      query: DiffQuery,
      auth: 'optional',
      cache: 60,
      bodies: answers(DiffAnswer, 400, 429, 503),
      detail: {
        operationId: 'markets.diff',
        summary: 'What moved, came, ended and changed its regime over a window',
      },
    })
