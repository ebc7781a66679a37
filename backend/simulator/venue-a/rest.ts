import { DAY } from '../../domain/units.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SimEvent, SimMarket } from '../catalogue/market.ts'
import { json, jsonText } from '../reply.ts'
import type { Call, Route } from '../http-server.ts'
import type { Reply } from '../reply.ts'
import { pageOf } from '../page-cursor.ts'
import { bookAt } from '../tape/order-book.ts'
import type { Tape } from '../tape/trades.ts'
import { answerHandler, badRequest, integer, list, Refusal, seconds } from './answers.ts'
import { candleRange, candles } from './candles.ts'
import { marketList } from './market-list.ts'
import { tradePage } from '../tape/trade-feed.ts'
import {
  iso,
  listStatusOf,
  tradeText,
  updatedAt,
  wireBook,
  wireEvent,
  wireMarket,
  wireSeries,
} from './wire.ts'

const BASE = '/trade-api/v2'

/**
 * Markets settled before this instant are under `/historical`: the start of a month, two to three
 * months back.
 */
export function historicalCutoff(now: number): number {
  const date = new Date(now - 62 * DAY)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** The REST routes of venue_a. */
export function venueARoutes(catalogue: Catalogue, tape: Tape): Route[] {
  const get = (path: string, handler: (call: Call) => Reply): Route => ({
    method: 'GET',
    path: BASE + path,
    answer: answerHandler(handler),
  })
  const marketOf = (call: Call, place: number): SimMarket => {
    const market = catalogue.market('venue_a', call.params[place] ?? '', call.now)
    if (market === null) throw new Refusal(404, 'not_found', 'not found')
    return market
  }
  const liveMarket = (call: Call, place: number): SimMarket => {
    const market = marketOf(call, place)
    if (market.settledAt < historicalCutoff(call.now))
      throw new Refusal(404, 'not_found', 'not found')
    return market
  }
  const recentMarkets = (event: SimEvent, now: number) =>
    event.markets
      .filter((market) => market.createdAt <= now && market.settledAt >= historicalCutoff(now))
      .map((market) => wireMarket(market, now, tape))

  const trades = (call: Call, historical: boolean): Reply => {
    const { query, now } = call
    const limit = integer(query, 'limit', 100, 1, 1_000)
    const ticker = query.get('ticker')
    const cutoff = historicalCutoff(now)
    const markets =
      ticker === null || ticker === ''
        ? catalogue.markets('venue_a', now)
        : [catalogue.market('venue_a', ticker, now)].filter((market) => market !== null)
    const from = Math.max(seconds(query, 'min_ts') ?? 0, historical ? 0 : cutoff)
    const to = Math.min(seconds(query, 'max_ts') ?? now, historical ? cutoff - 1 : now)
    const blocks = query.has('is_block_trade') ? query.get('is_block_trade') === 'true' : null
    const page = tradePage({ markets, from, to, blocks, limit, cursor: query.get('cursor') }, tape)
    if (page === null) throw badRequest('invalid cursor')
    return jsonText(
      `{"trades":[${page.trades.map(tradeText).join(',')}],"cursor":"${page.cursor}"}`,
    )
  }

  return [
    get('/exchange/status', ({ isTradingTime }) =>
      json({
        exchange_active: true,
        trading_active: isTradingTime,
        exchange_estimated_resume_time: null,
        intra_exchange_transfers_active: true,
        exchange_index_statuses: [
          {
            exchange_index: 0,
            description: 'default',
            exchange_active: true,
            trading_active: isTradingTime,
          },
        ],
      }),
    ),
    get('/exchange/schedule', () => json(SCHEDULE)),
    get('/series', ({ query, now }) => {
      const category = query.get('category')
      const all = seriesOf(catalogue.events('venue_a', now))
      return json({
        series: all.filter((series) => category === null || series['category'] === category),
      })
    }),
    get('/series/:ticker', ({ params, now }) => {
      const matchingSeries = seriesOf(catalogue.events('venue_a', now)).find(
        (series) => series['ticker'] === params[0],
      )
      if (matchingSeries === undefined) throw new Refusal(404, 'not_found', 'not found')
      return json({ series: matchingSeries })
    }),
    get('/events', ({ query, now }) => {
      const limit = integer(query, 'limit', 200, 1, 200)
      const status = query.get('status')
      const minCloseAt = seconds(query, 'min_close_ts')
      const minUpdatedAt = seconds(query, 'min_updated_ts')
      const tickers = list(query.get('tickers'))
      const series = query.get('series_ticker')
      const matchingEvents = catalogue
        .events('venue_a', now)
        .filter(
          (event) =>
            (status === null ||
              status === '' ||
              event.markets.some((market) => listStatusOf(market, now) === status)) &&
            (minCloseAt === null || event.markets.some((market) => market.closeAt >= minCloseAt)) &&
            (minUpdatedAt === null ||
              event.markets.some((market) => updatedAt(market, now) >= minUpdatedAt)) &&
            (tickers.length === 0 || tickers.includes(event.id)) &&
            (series === null || series === '' || event.seriesTicker === series),
        )
      const page = pageOf(
        matchingEvents,
        (event) => [event.createdAt, event.id],
        limit,
        query.get('cursor'),
      )
      if (page === null) throw badRequest('invalid cursor')
      const withMarkets = query.get('with_nested_markets') === 'true'
      return json({
        events: page.page.map((event) => ({
          ...wireEvent(event, now),
          ...(withMarkets ? { markets: recentMarkets(event, now) } : {}),
        })),
        cursor: page.next,
        milestones: [],
      })
    }),
    get('/events/:ticker', ({ params, query, now }) => {
      const event = catalogue.event('venue_a', params[0] ?? '', now)
      if (event === null) throw new Refusal(404, 'not_found', 'not found')
      const markets = recentMarkets(event, now)
      return json(
        query.get('with_nested_markets') === 'true'
          ? { event: { ...wireEvent(event, now), markets } }
          : { event: wireEvent(event, now), markets },
      )
    }),
    get('/markets', ({ query, now }) =>
      json(marketList(query, now, historicalCutoff(now), catalogue, tape)),
    ),
    get('/markets/trades', (call) => trades(call, false)),
    get('/markets/orderbooks', ({ query, now }) => {
      const tickers = query.getAll('tickers').flatMap(list)
      if (tickers.length === 0 || tickers.length > 100)
        throw badRequest('tickers: 1 to 100 are needed')
      const knownMarkets = tickers
        .map((ticker) => catalogue.market('venue_a', ticker, now))
        .filter((market) => market !== null)
      return json({
        orderbooks: knownMarkets.map((market) => ({
          ticker: market.id,
          orderbook_fp: wireBook(bookAt(market, now), 0),
        })),
      })
    }),
    get('/markets/candlesticks', ({ query, now }) => {
      const tickers = list(query.get('market_tickers'))
      if (tickers.length === 0 || tickers.length > 100)
        throw badRequest('market_tickers: 1 to 100 are needed')
      const range = candleRange(query, 10_000, tickers.length)
      const knownMarkets = tickers
        .map((ticker) => catalogue.market('venue_a', ticker, now))
        .filter((market) => market !== null)
      return json({
        markets: knownMarkets.map((market) => ({
          market_ticker: market.id,
          candlesticks: candles(market, range, now, tape, false),
        })),
      })
    }),
    get('/markets/:ticker', (call) =>
      json({ market: wireMarket(liveMarket(call, 0), call.now, tape) }),
    ),
    get('/markets/:ticker/orderbook', (call) =>
      json({
        orderbook_fp: wireBook(
          bookAt(liveMarket(call, 0), call.now),
          integer(call.query, 'depth', 0, 0, 100),
        ),
      }),
    ),
    get('/series/:series/markets/:ticker/candlesticks', (call) => {
      const market = liveMarket(call, 1)
      return json({
        ticker: market.id,
        candlesticks: candles(market, candleRange(call.query, 5_000, 1), call.now, tape, false),
      })
    }),
    get('/historical/cutoff', ({ now }) => {
      const cutoff = iso(historicalCutoff(now))
      return json({
        market_settled_ts: cutoff,
        trades_created_ts: cutoff,
        orders_updated_ts: iso(Math.floor((now - 14 * DAY) / DAY) * DAY),
      })
    }),
    get('/historical/markets', ({ query, now }) => {
      const tickers = list(query.get('tickers'))
      const old = catalogue
        .markets('venue_a', now)
        .filter(
          (market) =>
            market.settledAt < historicalCutoff(now) &&
            (tickers.length === 0 || tickers.includes(market.id)),
        )
      const page = pageOf(
        old,
        (market) => [market.createdAt, market.id],
        integer(query, 'limit', 100, 1, 1_000),
        query.get('cursor'),
      )
      if (page === null) throw badRequest('invalid cursor')
      return json({
        markets: page.page.map((market) => wireMarket(market, now, tape)),
        cursor: page.next,
      })
    }),
    get('/historical/trades', (call) => trades(call, true)),
    get('/historical/markets/:ticker', (call) =>
      json({ market: wireMarket(marketOf(call, 0), call.now, tape) }),
    ),
    get('/historical/markets/:ticker/candlesticks', (call) => {
      const market = marketOf(call, 0)
      return json({
        ticker: market.id,
        candlesticks: candles(market, candleRange(call.query, 5_000, 1), call.now, tape, true),
      })
    }),
  ]
}

function seriesOf(events: readonly SimEvent[]): Record<string, unknown>[] {
  const seriesByTicker = new Map<string, Record<string, unknown>>()
  for (const event of events)
    if (!seriesByTicker.has(event.seriesTicker))
      seriesByTicker.set(event.seriesTicker, wireSeries(event))
  return [...seriesByTicker.values()]
}

const ALL_DAY = [{ open_time: '00:00', close_time: '00:00' }]
const SCHEDULE = {
  schedule: {
    maintenance_windows: [],
    standard_hours: [
      {
        start_time: '2024-12-01T00:00:00Z',
        end_time: '2200-12-01T00:00:00Z',
        monday: ALL_DAY,
        tuesday: ALL_DAY,
        wednesday: ALL_DAY,
        thursday: [
          { open_time: '00:00', close_time: '03:00' },
          { open_time: '05:00', close_time: '00:00' },
        ],
        friday: ALL_DAY,
        saturday: ALL_DAY,
        sunday: ALL_DAY,
      },
    ],
  },
}
