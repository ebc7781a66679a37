import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth/auth.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { SentQuery } from '../../http/routes/route-policies.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { TickerParam, Market } from '../../contract/market.ts'
import { MarketQuery } from '../../contract/markets.ts'
import type { MarketDetail } from './market.service.ts'

/** Any value of `refresh` except false makes the response uncacheable. */
const ageOf = ({ refresh }: SentQuery): number | 'no-store' =>
  refresh === undefined || /^(?:false|0)$/i.test(refresh.trim()) ? 10 : 'no-store'

export const marketRoutes = (detail: MarketDetail) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/market/:ticker',
      async ({ params, query, request, set }) =>
        withLastModified(
          set,
          await detail.market(params.ticker, query, callerOf(request) !== null),
          ({ updatedAt }) => [updatedAt],
        ),
      {
        params: TickerParam,
        query: MarketQuery,
        auth: 'optional',
        cache: ageOf,
        response: answers(Market, 400, 401, 404, 410, 429, 502, 503),
        detail: {
          operationId: 'market.get',
          summary: 'One market: prices, book, indicators, rules',
        },
      },
    )
