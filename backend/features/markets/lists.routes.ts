import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { withLastModified, rowTimes } from '../../http/cache/last-modified.ts'
import {
  LiveTickers,
  LiveTickersQuery,
  MarketPage,
  MarketsQuery,
  NewMarketPage,
  NewMarketsQuery,
} from '../../contract/markets.ts'
import type { MarketLists } from './lists.service.ts'

export const listRoutes = (lists: MarketLists) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/markets',
      async ({ query, set }) =>
        withLastModified(set, await lists.markets(query), ({ markets }) => rowTimes(markets)),
      {
        query: MarketsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(MarketPage, 400, 429, 503),
        detail: { operationId: 'markets.list', summary: 'Markets by filter and rank, in pages' },
      },
    )
    .get(
      '/newmarkets',
      async ({ query, set }) =>
        withLastModified(set, await lists.newMarkets(query), ({ markets }) => rowTimes(markets)),
      {
        query: NewMarketsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(NewMarketPage, 400, 429, 503),
        detail: {
          operationId: 'markets.new',
          summary: 'Recently first seen markets, newest first',
        },
      },
    )
    .get(
      '/live-tickers',
      async ({ query, set }) =>
        withLastModified(set, await lists.liveTickers(query), ({ tickers }) => rowTimes(tickers)),
      {
        query: LiveTickersQuery,
        auth: 'optional',
        cache: 5,
        response: answers(LiveTickers, 400, 429, 503),
        detail: {
          operationId: 'markets.live',
          summary: 'Prices of markets quoted in the last 15 minutes, most traded first',
        },
      },
    )
