import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { withLastModified, rowTimes } from '../../http/cache/last-modified.ts'
import {
  ScreenByTickersQuery,
  ScreenedTickers,
  ScreenPage,
  ScreenQuery,
} from '../../contract/markets.ts'
import type { MarketScreens } from './screen.service.ts'

export const screenRoutes = (screens: MarketScreens) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/screen',
      async ({ query, set }) =>
        withLastModified(set, await screens.screen(query), ({ markets }) => rowTimes(markets)),
      {
        query: ScreenQuery,
        auth: 'optional',
        cache: 60,
        response: answers(ScreenPage, 400, 429, 503),
        detail: {
          operationId: 'markets.screen',
          summary: 'Active markets by their indicators; markets with unknown values are excluded',
        },
      },
    )
    .get(
      '/screen-by-tickers',
      async ({ query, set }) =>
        withLastModified(set, await screens.byTickers(query), ({ markets }) => rowTimes(markets)),
      {
        query: ScreenByTickersQuery,
        auth: 'optional',
        cache: 60,
        response: answers(ScreenedTickers, 400, 429, 503),
        detail: {
          operationId: 'markets.screen-by-tickers',
          summary: 'Indicators of named markets, in request order',
        },
      },
    )
