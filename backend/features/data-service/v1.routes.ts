import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { TickerParam } from '../../contract/market.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { CacheRule, SentQuery } from '../../http/routes/route-policies.ts'
import type { DataService } from './data-service.ts'
import {
  BookQuery,
  Candles,
  CandlesQuery,
  FeaturedPage,
  FeaturedQuery,
  Heartbeat,
  MarketsPage,
  MarketsQuery,
  Movers,
  MoversQuery,
  NoQuery,
  SearchAnswer,
  SearchQuery,
  Snapshot,
  SnapshotQuery,
  Trades,
  TradesQuery,
  V1Book,
  V1MarketDetail,
} from '../../contract/data-service.ts'

const privateCache = (seconds: number): CacheRule => ({ seconds, scope: 'private' })
/** A daily bar may be cached longer than the others. */
const candleAge = ({ tf }: SentQuery): CacheRule =>
  privateCache((tf ?? '').trim().toLowerCase() === '1d' ? 15 : 5)

interface Settings {
  readonly headers: Record<string, string | number>
}
/** Sets the header with the time of the data, Unix milliseconds; null leaves it out. */
const withLastModified = <Body>(set: Settings, body: Body, at: number | null | undefined): Body => {
  if (at !== null && at !== undefined) set.headers['last-modified'] = new Date(at).toUTCString()
  return body
}

/**
 * The HTTP routes of the data service, at addresses of their own. @param dataUrl their base
 * address
 */
export const dataServiceRoutes = (service: DataService, dataUrl: string) => {
  const detail = (operationId: string, summary: string) => ({
    operationId,
    summary,
    servers: [{ url: dataUrl }],
  })
  return new Elysia({ prefix: '/v1', tags: ['data'], adapter })
    .use(routePolicies)
    .get('/heartbeat', () => service.heartbeat(), {
      query: NoQuery,
      auth: 'none',
      rate: 'data-240',
      cache: privateCache(10),
      response: answers(Heartbeat, 429, 503),
      detail: detail('data.heartbeat', 'Liveness and size of the data service'),
    })
    .get('/markets', ({ query }) => service.markets(query), {
      query: MarketsQuery,
      auth: 'data',
      rate: 'data-240',
      cache: privateCache(3),
      response: answers(MarketsPage, 400, 401, 429, 503),
      detail: detail('data.markets', 'Active markets, most traded first'),
    })
    .get('/markets/featured', ({ query }) => service.featuredMarkets(query), {
      query: FeaturedQuery,
      auth: 'data',
      rate: 'data-240',
      cache: privateCache(3),
      response: answers(FeaturedPage, 400, 401, 429, 503),
      detail: detail('data.featured', 'Most active markets'),
    })
    .get(
      '/markets/:ticker',
      async ({ params, set }) => {
        const market = await service.market(params.ticker)
        return withLastModified(set, market, market.ts)
      },
      {
        params: TickerParam,
        query: NoQuery,
        auth: 'data',
        rate: 'data-240',
        cache: privateCache(2),
        response: answers(V1MarketDetail, 401, 404, 429, 503),
        detail: detail('data.market', 'One market in any state'),
      },
    )
    .get('/search', ({ query }) => service.search(query), {
      query: SearchQuery,
      auth: 'data',
      rate: 'data-120',
      cache: privateCache(5),
      response: answers(SearchAnswer, 400, 401, 429, 503),
      detail: detail('data.search', 'Text search for markets, best first'),
    })
    .get('/snapshot', ({ query }) => service.snapshot(query), {
      query: SnapshotQuery,
      auth: 'data',
      rate: 'data-120',
      cache: privateCache(2),
      response: answers(Snapshot, 400, 401, 429, 503),
      detail: detail('data.snapshot', 'Current prices of every active market'),
    })
    .get('/movers', ({ query }) => service.movers(query), {
      query: MoversQuery,
      auth: 'data',
      rate: 'data-120',
      cache: privateCache(5),
      response: answers(Movers, 400, 401, 429, 503),
      detail: detail('data.movers', 'Largest changes of the last price over a window'),
    })
    .get(
      '/orderbook/:ticker',
      async ({ params, query, set }) => {
        const book = await service.orderbook(params.ticker, query)
        return withLastModified(set, book, book.ts)
      },
      {
        params: TickerParam,
        query: BookQuery,
        auth: 'data',
        rate: 'data-240',
        cache: privateCache(1),
        response: answers(V1Book, 400, 401, 404, 429, 503),
        detail: detail('data.orderbook', 'The order book of one market'),
      },
    )
    .get(
      '/candles/:ticker',
      async ({ params, query, set }) => {
        const page = await service.candles(params.ticker, query)
        const last = page.candles.at(-1)
        return withLastModified(set, page, last === undefined ? null : last.t * 1_000)
      },
      {
        params: TickerParam,
        query: CandlesQuery,
        auth: 'data',
        rate: 'data-240',
        cache: candleAge,
        response: answers(Candles, 400, 401, 404, 429, 503),
        detail: detail('data.candles', 'Bars of one market, oldest first'),
      },
    )
    .get(
      '/trades/:ticker',
      async ({ params, query, set }) => {
        const page = await service.trades(params.ticker, query)
        return withLastModified(set, page, page.trades[0]?.ts)
      },
      {
        params: TickerParam,
        query: TradesQuery,
        auth: 'data',
        rate: 'data-240',
        cache: privateCache(1),
        response: answers(Trades, 400, 401, 404, 429, 503),
        detail: detail('data.trades', 'Trades of one market, newest first'),
      },
    )
}
