import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { SentQuery } from '../../http/words.ts'
import { dated } from '../../http/dated.ts'
import { TickerParam } from '../../http/ticker.ts'
import { MarketQuery } from './market.schema.ts'
import type { MarketDetail } from './market.service.ts'
import { Market } from './market.types.ts'

/** Anything but a plain no to `refresh` keeps the answer out of every cache. */
const ageOf = ({ refresh }: SentQuery): number | 'no-store' =>
  refresh === undefined || /^(?:false|0)$/i.test(refresh.trim()) ? 10 : 'no-store'

export const marketRoutes = (detail: MarketDetail) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/market/:ticker',
      async ({ params, query, request, set }) =>
        dated(
          set,
          await detail.market(params.ticker, query, callerOf(request) !== null),
          ({ updatedAt }) => [updatedAt],
        ),
      {
        params: TickerParam,
        query: MarketQuery,
        auth: 'optional',
        cache: ageOf,
        bodies: answers(Market, 400, 401, 404, 410, 429, 502, 503),
        detail: {
          operationId: 'market.get',
          summary: 'One market: prices, book, indicators, rules',
        },
      },
    )
