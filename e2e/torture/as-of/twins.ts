import type {
  Candles,
  Snapshot,
  V1Book,
  V1MarketDetail,
  V1Trade,
} from '../../../backend/contract/data-service.ts'
import type { CandlesAnswer } from '../../../backend/contract/market-history.ts'
import type { MarketPage } from '../../../backend/contract/markets.ts'
import type { Market } from '../../../backend/contract/market.ts'
import { TIMEFRAMES } from '../../../backend/domain/prices/candle.ts'
import { probabilityOf, contractsOf, roundTo, type Millis } from '../../../backend/domain/units.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'
import type { Chance } from '../chance.ts'
import { at } from './questions.ts'

/**
 * A read of the data service, which knows only the present, and the equivalent read about an
 * instant later.
 */
export interface Twin {
  readonly name: string
  /** Path of the read with `asOf`, or of the data service when there is none. */
  readonly route: string
  /** The data service's present response, in the format of the other read. */
  now(demo: DemoService): Promise<string>
  /** The response of the reads with `asOf` for the instant. */
  then(demo: DemoService, instant: Millis): Promise<string>
}

async function bodyOf<T>(demo: DemoService, path: string): Promise<T> {
  const answer = await demo.ask(path)
  if (!answer.startsWith('200 ')) throw new Error(`${path}: ${answer.slice(0, 200)}`)
  return JSON.parse(answer.slice(4)) as T
}

/** Cents in the data service's format. */
const chanceOf = (cents: number | null): number | null =>
  cents === null ? null : roundTo(cents / 100, 6)
const secondsOf = (iso: string | null): number | null =>
  iso === null ? null : Math.floor(Date.parse(iso) / 1_000)

interface Addresses<Present, Past> {
  readonly route: string
  readonly present: string
  readonly past: string
  readonly readPresent: (body: Present) => unknown
  readonly readPast: (body: Past) => unknown
}

function twin<Present, Past>(options: Addresses<Present, Past>): Twin {
  return {
    name: `${options.present} as ${options.past}`,
    route: options.route,
    now: async (demo) =>
      JSON.stringify(options.readPresent(await bodyOf<Present>(demo, options.present))),
    then: async (demo, instant) =>
      JSON.stringify(options.readPast(await bodyOf<Past>(demo, at(options.past, instant)))),
  }
}

const marketTwin = (ticker: string): Twin =>
  twin({
    route: '/api/public/market/{ticker}',
    present: `/v1/markets/${ticker}`,
    past: `/api/public/market/${ticker}`,
    readPresent: (market: V1MarketDetail) => ({ ...market, generated_at: null }),
    readPast: (market: Market) => ({
      ticker: market.ticker,
      venue: market.venue,
      title: market.title,
      lastPrice: chanceOf(market.lastPrice),
      volume24h: market.volume24h,
      closeTime: secondsOf(market.closeTime),
      bestBid: chanceOf(market.bestBid),
      bestAsk: chanceOf(market.bestAsk),
      ...(market.sample === true ? { sample: true } : {}),
      subtitle: market.subtitle,
      status: market.status,
      openInterest: market.openInterest,
      ts: Date.parse(market.updatedAt),
      generated_at: null,
    }),
  })

const bookTwin = (ticker: string): Twin =>
  twin({
    route: '/api/public/market/{ticker}',
    present: `/v1/orderbook/${ticker}?depth=5`,
    past: `/api/public/market/${ticker}?depth=true`,
    // Staleness of a book is only known for the present.
    readPresent: ({ bids, asks, ts }: V1Book) => ({ bids, asks, ts }),
    readPast: ({ bidLevels = [], askLevels = [], depthAt }: Market) => {
      const levels = (side: readonly { price: number; size: number }[]) =>
        side.map(({ price, size }) => [chanceOf(price), size])
      const ts = depthAt === undefined ? null : Date.parse(depthAt)
      return { bids: levels(bidLevels), asks: levels(askLevels), ts }
    },
  })

const candlesTwin = (ticker: string, chance: Chance): Twin => {
  const tf = chance.among(TIMEFRAMES)
  const limit = 1 + chance.integer(500)
  return twin({
    route: '/api/public/market/{ticker}/candles',
    present: `/v1/candles/${ticker}?tf=${tf}&limit=${limit}`,
    past: `/api/public/market/${ticker}/candles?tf=${tf}&limit=${limit}`,
    readPresent: ({ candles }: Candles) => candles,
    readPast: ({ candles }: CandlesAnswer) =>
      candles.map(({ t, o, h, l, c, v, partial, gap }) => ({
        t,
        o: chanceOf(o),
        h: chanceOf(h),
        l: chanceOf(l),
        c: chanceOf(c),
        v,
        ...(partial === true ? { partial } : {}),
        ...(gap === true ? { gap } : {}),
      })),
  })
}

/** Prints have no read with `asOf` of their own: history itself is read. */
const tradesTwin = (ticker: string, chance: Chance): Twin => {
  const limit = 1 + chance.integer(100)
  const path = `/v1/trades/${ticker}?limit=${limit}`
  return {
    name: `${path} as history`,
    route: '/v1/trades/{ticker}',
    async now(demo) {
      const { trades } = await bodyOf<{ trades: V1Trade[] }>(demo, path)
      return JSON.stringify(trades.map(({ id, ts, price, size }) => [id, ts, price, size]))
    },
    async then(demo, instant) {
      const { history } = demo.service.data
      const market = history.marketIdOf(ticker)?.market
      if (market === undefined) throw new Error(`${ticker} is not known`)
      const trades = await history.trades({ market, from: 0 as Millis, to: instant, asOf: instant })
      const newest = trades.slice(-limit).reverse()
      return JSON.stringify(
        newest.map(({ tradeId, ts, price, size }) => [
          tradeId,
          ts,
          probabilityOf(price),
          contractsOf(size),
        ]),
      )
    },
  }
}

const snapshotTwin = (): Twin =>
  twin({
    route: '/api/public/markets',
    present: '/v1/snapshot',
    past: '/api/public/markets?limit=500',
    readPresent: ({ markets }: Snapshot) => markets,
    readPast: ({ markets }: MarketPage) =>
      markets
        .filter(({ bestBid, bestAsk }) => bestBid !== null || bestAsk !== null)
        .map(({ ticker, venue, lastPrice, bestBid, bestAsk, volume24h }) => ({
          ticker,
          venue,
          last: chanceOf(lastPrice),
          bid: chanceOf(bestBid),
          ask: chanceOf(bestAsk),
          vol24h: volume24h,
        }))
        .sort((a, b) => (a.ticker < b.ticker ? -1 : 1)),
  })

/** A random read of the data service. */
export function twinOf(tickers: readonly string[], chance: Chance): Twin {
  const ticker = chance.among(tickers)
  return chance.among([marketTwin, bookTwin, candlesTwin, tradesTwin, snapshotTwin])(ticker, chance)
}
