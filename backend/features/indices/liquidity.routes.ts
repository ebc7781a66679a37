import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { LiquidityByTheme, LiquidityQuery } from '../../contract/indices.ts'
import type { LiquidityService } from './liquidity.service.ts'

export const liquidityRoutes = (service: LiquidityService) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routePolicies)
    .get(
      '/liquidity-by-theme',
      async ({ query, set }) =>
        withLastModified(set, await service.byTheme(query), ({ generatedAt }) => [generatedAt]),
      {
        query: LiquidityQuery,
        auth: 'optional',
        cache: 60,
        response: answers(LiquidityByTheme, 400, 429, 503),
        detail: {
          operationId: 'liquidity.themes',
          summary: 'Volume, depth and spread by theme, most traded first',
        },
      },
    )
