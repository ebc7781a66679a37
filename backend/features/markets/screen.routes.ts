import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { dated, rowTimes } from '../../http/dated.ts'
import { ScreenByTickersQuery, ScreenedTickers, ScreenPage, ScreenQuery } from './screen.schema.ts'
import type { MarketScreens } from './screen.service.ts'

export const screenRoutes = (screens: MarketScreens) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/screen',
      async ({ query, set }) =>
        dated(set, await screens.screen(query), ({ markets }) => rowTimes(markets)),
      {
        query: ScreenQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(ScreenPage, 400, 429, 503),
        detail: {
          operationId: 'markets.screen',
          summary: 'Active markets by their indicators; unknown quantities are left out',
        },
      },
    )
    .get(
      '/screen-by-tickers',
      async ({ query, set }) =>
        dated(set, await screens.byTickers(query), ({ markets }) => rowTimes(markets)),
      {
        query: ScreenByTickersQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(ScreenedTickers, 400, 429, 503),
        detail: {
          operationId: 'markets.screen-by-tickers',
          summary: 'Indicators of named markets, in request order',
        },
      },
    )
