import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { LiquidityByTheme, LiquidityQuery } from './liquidity.schema.ts'
import type { LiquidityReads } from './liquidity.service.ts'

export const liquidityRoutes = (reads: LiquidityReads) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routeWords)
    .get(
      '/liquidity-by-theme',
      async ({ query, set }) =>
        dated(set, await reads.byTheme(query), ({ generatedAt }) => [generatedAt]),
      {
        query: LiquidityQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(LiquidityByTheme, 400, 429, 503),
        detail: {
          operationId: 'liquidity.themes',
          summary: 'Volume, depth and spread by theme, most traded first',
        },
      },
    )
