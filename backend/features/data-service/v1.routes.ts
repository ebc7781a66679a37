import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { CacheRule, SentQuery } from '../../http/words.ts'
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
  TickerParam,
  Trades,
  TradesQuery,
} from './v1.schema.ts'
import { V1Book, V1MarketDetail } from './v1.types.ts'

const kept = (seconds: number): CacheRule => ({ seconds, scope: 'private' })
/** A daily bar may be older than the others. */
const candleAge = ({ tf }: SentQuery): CacheRule =>
  kept((tf ?? '').trim().toLowerCase() === '1d' ? 15 : 5)

interface Settings {
  readonly headers: Record<string, string | number>
}
/** Tells the time of the data, in Unix milliseconds; null leaves it out. */
const dated = <Body>(set: Settings, body: Body, at: number | null | undefined): Body => {
  if (at !== null && at !== undefined) set.headers['last-modified'] = new Date(at).toUTCString()
  return body
}

/** The HTTP face of the data service, at addresses of its own. @param dataUrl where it is reached */
export const dataServiceRoutes = (service: DataService, dataUrl: string) => {
  const detail = (operationId: string, summary: string) => ({
    operationId,
    summary,
    servers: [{ url: dataUrl }],
  })
  return new Elysia({ prefix: '/v1', tags: ['data'], adapter })
    .use(routeWords)
    .get('/heartbeat', () => service.heartbeat(), {
      query: NoQuery,
      auth: 'none',
      rate: 'data-240',
      cache: kept(10),
      bodies: answers(Heartbeat, 429, 503),
      detail: detail('data.heartbeat', 'Whether the data service lives, and how large it is'),
    })
    .get('/markets', ({ query }) => service.markets(query), {
      query: MarketsQuery,
      auth: 'data',
      rate: 'data-240',
      cache: kept(3),
      bodies: answers(MarketsPage, 400, 401, 429, 503),
      detail: detail('data.markets', 'Active markets, most traded first'),
    })
    .get('/markets/featured', ({ query }) => service.featured(query), {
      query: FeaturedQuery,
      auth: 'data',
      rate: 'data-240',
      cache: kept(3),
      bodies: answers(FeaturedPage, 400, 401, 429, 503),
      detail: detail('data.featured', 'Active markets in which most is going on'),
    })
    .get(
      '/markets/:ticker',
      async ({ params, set }) => {
        const market = await service.market(params.ticker)
        return dated(set, market, market.ts)
      },
      {
        params: TickerParam,
        query: NoQuery,
        auth: 'data',
        rate: 'data-240',
        cache: kept(2),
        bodies: answers(V1MarketDetail, 401, 404, 429, 503),
        detail: detail('data.market', 'One market in any state'),
      },
    )
    .get('/search', ({ query }) => service.search(query), {
      query: SearchQuery,
      auth: 'data',
      rate: 'data-120',
      cache: kept(5),
      bodies: answers(SearchAnswer, 400, 401, 429, 503),
      detail: detail('data.search', 'Markets found by words, best first'),
    })
    .get('/snapshot', ({ query }) => service.snapshot(query), {
      query: SnapshotQuery,
      auth: 'data',
      rate: 'data-120',
      cache: kept(2),
      bodies: answers(Snapshot, 400, 401, 429, 503),
      detail: detail('data.snapshot', 'What every active market is quoted at'),
    })
    .get('/movers', ({ query }) => service.movers(query), {
      query: MoversQuery,
      auth: 'data',
      rate: 'data-120',
      cache: kept(5),
      bodies: answers(Movers, 400, 401, 429, 503),
      detail: detail('data.movers', 'Largest changes of the last price over a window'),
    })
    .get(
      '/orderbook/:ticker',
      async ({ params, query, set }) => {
        const book = await service.orderbook(params.ticker, query)
        return dated(set, book, book.ts)
      },
      {
        params: TickerParam,
        query: BookQuery,
        auth: 'data',
        rate: 'data-240',
        cache: kept(1),
        bodies: answers(V1Book, 400, 401, 404, 429, 503),
        detail: detail('data.orderbook', 'The order book of one market'),
      },
    )
    .get(
      '/candles/:ticker',
      async ({ params, query, set }) => {
        const page = await service.candles(params.ticker, query)
        const last = page.candles.at(-1)
        return dated(set, page, last === undefined ? null : last.t * 1_000)
      },
      {
        params: TickerParam,
        query: CandlesQuery,
        auth: 'data',
        rate: 'data-240',
        cache: candleAge,
        bodies: answers(Candles, 400, 401, 404, 429, 503),
        detail: detail('data.candles', 'Bars of one market, oldest first'),
      },
    )
    .get(
      '/trades/:ticker',
      async ({ params, query, set }) => {
        const page = await service.trades(params.ticker, query)
        return dated(set, page, page.trades[0]?.ts)
      },
      {
        params: TickerParam,
        query: TradesQuery,
        auth: 'data',
        rate: 'data-240',
        cache: kept(1),
        bodies: answers(Trades, 400, 401, 404, 429, 503),
        detail: detail('data.trades', 'Prints of one market, newest first'),
      },
    )
}
