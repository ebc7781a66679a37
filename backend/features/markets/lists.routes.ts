import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { dated, rowTimes } from '../../http/dated.ts'
import {
  LiveTickers,
  LiveTickersQuery,
  MarketPage,
  MarketsQuery,
  NewMarketPage,
  NewMarketsQuery,
} from './lists.schema.ts'
import type { MarketLists } from './lists.service.ts'

export const listRoutes = (lists: MarketLists) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/markets',
      async ({ query, set }) =>
        dated(set, await lists.markets(query), ({ markets }) => rowTimes(markets)),
      {
        query: MarketsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(MarketPage, 400, 429, 503),
        detail: { operationId: 'markets.list', summary: 'Markets by filter and rank, in pages' },
      },
    )
    .get(
      '/newmarkets',
      async ({ query, set }) =>
        dated(set, await lists.newMarkets(query), ({ markets }) => rowTimes(markets)),
      {
        query: NewMarketsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(NewMarketPage, 400, 429, 503),
        detail: { operationId: 'markets.new', summary: 'Markets first seen lately, newest first' },
      },
    )
    .get(
      '/live-tickers',
      async ({ query, set }) =>
        dated(set, await lists.liveTickers(query), ({ tickers }) => rowTimes(tickers)),
      {
        query: LiveTickersQuery,
        auth: 'optional',
        cache: 5,
        bodies: answers(LiveTickers, 400, 429, 503),
        detail: {
          operationId: 'markets.live',
          summary: 'Prices of markets quoted in the last 15 minutes, most traded first',
        },
      },
    )
