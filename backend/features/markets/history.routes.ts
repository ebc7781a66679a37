import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { SentQuery } from '../../http/routes/route-policies.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import {
  CandlesAnswer,
  CandlesQuery,
  HistoryAnswer,
  HistoryQuery,
  MicrostructureAnswer,
  MicrostructureQuery,
} from '../../contract/market-history.ts'
import type { MarketHistory } from './history.service.ts'
import { TickerParam } from '../../contract/market.ts'

/** A daily bar may be cached longer than the others. */
const candleAge = ({ timeframe, tf }: SentQuery): number =>
  (timeframe ?? tf ?? '').trim().toLowerCase() === '1d' ? 15 : 5

/** Time of the last row in ascending order. */
const lastTime = (rows: readonly { readonly at: string }[]): string[] =>
  rows.slice(-1).map(({ at }) => at)

export const historyRoutes = (history: MarketHistory) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/market/:ticker/candles',
      async ({ params, query, set }) =>
        withLastModified(set, await history.candles(params.ticker, query), ({ candles }) =>
          lastTime(candles),
        ),
      {
        params: TickerParam,
        query: CandlesQuery,
        auth: 'optional',
        cache: candleAge,
        response: answers(CandlesAnswer, 400, 404, 410, 429, 503),
        detail: {
          operationId: 'market.candles',
          summary: 'OHLCV bars of one market, oldest first',
        },
      },
    )
    .get(
      '/market/:ticker/history',
      async ({ params, query, set }) =>
        withLastModified(set, await history.history(params.ticker, query), ({ indicatorHistory }) =>
          lastTime(indicatorHistory),
        ),
      {
        params: TickerParam,
        query: HistoryQuery,
        auth: 'optional',
        cache: { seconds: 60, scope: 'proxy' },
        response: answers(HistoryAnswer, 400, 404, 410, 429, 503),
        detail: {
          operationId: 'market.history',
          summary: 'Price changes and indicators of the last 7 days, oldest first',
        },
      },
    )
    .get(
      '/market-microstructure-history',
      async ({ query, set }) =>
        withLastModified(set, await history.microstructure(query), ({ points }) =>
          lastTime(points),
        ),
      {
        query: MicrostructureQuery,
        auth: 'optional',
        cache: 60,
        response: answers(MicrostructureAnswer, 400, 404, 410, 429, 503),
        detail: {
          operationId: 'market.microstructure',
          summary: 'Hourly spread, depth and flow of one market, oldest first',
        },
      },
    )
