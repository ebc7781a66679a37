import type { Ticker } from '../../domain/market.ts'
import { MINUTE, type Millis } from '../../domain/units.ts'
import { VenueFailure, type HostPause } from '../connector.ts'
import { textOf, timeOf, wireOf } from '../fields.ts'
import type { HttpClient, Query, RequestOptions } from '../http-client.ts'
import { walkPages } from '../paging.ts'
import type { CandleRange } from './candle-plan.ts'
import { parseExchangeStatus } from './exchange-status.ts'

const MAX_PAGES = 2_000
export const TICKERS_PER_CALL = 100

export interface Cutoff {
  /** Markets settled before this are only in the historical listing. */
  readonly marketsSettled: Millis
  /** Trades before this are only in the historical tape. */
  readonly tradesCreated: Millis
}

export type ReadOptions = Pick<RequestOptions, 'signal' | 'priority'>

/** REST calls of the venue: paths, parameters and page walks; bodies are returned unparsed. */
export class VenueAClient {
  readonly #http: HttpClient
  readonly #canSign: boolean
  #signBooks = false

  constructor(http: HttpClient, canSign: boolean) {
    this.#http = http
    this.#canSign = canSign
  }

  get hostTime(): Millis | null {
    return this.#http.hostTime
  }

  get clockOffset(): number {
    return this.#http.clockOffset
  }

  get pause(): HostPause | null {
    return this.#http.pause
  }

  /** Whether the venue answers; requested once. */
  status(signal: AbortSignal): Promise<unknown> {
    return this.#http.read('/exchange/status', { signal, priority: 'live', retries: false })
  }

  /** The status of the exchange, including a pause, which the venue may send as a refusal. */
  exchangeStatus(options: ReadOptions): Promise<unknown> {
    const isAnswer = (body: unknown): boolean => parseExchangeStatus(body) !== null
    return this.#http.read('/exchange/status', { ...options, isAnswer })
  }

  series(options: ReadOptions): Promise<unknown> {
    return this.#http.read('/series', options)
  }

  events(query: Query, options: ReadOptions): AsyncGenerator {
    return this.#walk('/events', { limit: 200, ...query }, options)
  }

  markets(query: Query, options: ReadOptions): AsyncGenerator {
    return this.#walk('/markets', { limit: 1_000, mve_filter: 'exclude', ...query }, options)
  }

  historicalMarkets(options: ReadOptions): AsyncGenerator {
    return this.#walk('/historical/markets', { limit: 1_000, mve_filter: 'exclude' }, options)
  }

  trades(path: '/markets/trades' | '/historical/trades', query: Query, options: ReadOptions) {
    return this.#walk(path, { limit: 1_000, ...query }, options)
  }

  async cutoff(options: ReadOptions): Promise<Cutoff> {
    const body = wireOf(await this.#http.read('/historical/cutoff', options))
    return {
      marketsSettled: timeOf(body?.['market_settled_ts']) ?? (0 as Millis),
      tradesCreated: timeOf(body?.['trades_created_ts']) ?? (0 as Millis),
    }
  }

  candles(tickers: readonly Ticker[], range: CandleRange, options: ReadOptions): Promise<unknown> {
    const query = { market_tickers: tickers.join(','), ...rangeQuery(range) }
    return this.#http.read('/markets/candlesticks', { ...options, query })
  }

  /** Candles of one market settled before the cutoff; null when there is no such market. */
  historicalCandles(ticker: Ticker, range: CandleRange, options: ReadOptions): Promise<unknown> {
    const path = `/historical/markets/${encodeURIComponent(ticker)}/candlesticks`
    return this.#http.read(path, { ...options, query: rangeQuery(range), mayBeAbsent: true })
  }

  /** One market before the cutoff; null when there is no such market. */
  historicalMarket(ticker: Ticker, options: ReadOptions): Promise<unknown> {
    const path = `/historical/markets/${encodeURIComponent(ticker)}`
    return this.#http.read(path, { ...options, mayBeAbsent: true })
  }

  /** Whole books; read without keys, and signed once the venue has required it. */
  async books(tickers: readonly Ticker[], options: ReadOptions): Promise<unknown> {
    const request = { ...options, query: { tickers }, signed: this.#signBooks }
    try {
      return await this.#http.read('/markets/orderbooks', request)
    } catch (error) {
      const isRefused = error instanceof VenueFailure && error.status === 401
      if (!isRefused || !this.#canSign || this.#signBooks) throw error
      this.#signBooks = true
      return this.#http.read('/markets/orderbooks', { ...request, signed: true })
    }
  }

  #walk(path: string, query: Query, options: ReadOptions): AsyncGenerator {
    return walkPages(
      'venue_a',
      async (cursor) => {
        const value = await this.#http.read(path, { ...options, query: { ...query, cursor } })
        return { value, cursor: textOf(wireOf(value)?.['cursor']) }
      },
      MAX_PAGES,
    )
  }
}

const rangeQuery = ({ from, to, width }: CandleRange): Query => ({
  start_ts: Math.ceil(from / 1_000),
  end_ts: Math.floor(to / 1_000),
  period_interval: width / MINUTE,
})
