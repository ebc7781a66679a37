import type { MarketView } from '../computed/board/market-board.ts'
import type { BookLevel } from '../domain/market.ts'
import { type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { createConnectionCount, Hub } from '../features/data-service/socket/hub.ts'
import { LIMITS } from '../features/data-service/socket/limits.ts'
import { createSocketEndpoint } from '../features/data-service/socket/socket-endpoint.ts'
import type { SocketSources, WorldFeed } from '../features/data-service/socket/sources.ts'
import type {
  FeedTopics,
  PrintedTrade,
} from '../features/data-service/socket/topics/topic-model.ts'
import { v1BookOf, v1TradeOf } from '../features/data-service/v1-shapes.ts'
import type { V1Mover } from '../contract/data-service.ts'
import type { MarketId } from '../history/market-key.ts'
import type { CandleRow } from '../history/market-rows.ts'
import { foldTrades } from './fold-trades.ts'
import type { Caller } from '../http/auth/auth.ts'
import type { DataAccess } from '../http/auth/data-access.ts'
import { createHttpApp } from '../http/app.ts'
import { bind } from '../http/server.ts'
import { mountUpgrade } from '../http/upgrade.ts'
import { createBus } from '../lib/bus.ts'
import type { Clock } from '../lib/clock.ts'
import { AuthInvalid } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { marketView } from './builders.ts'
import { FakeClock } from './fake-clock.ts'

/** A market of the fake feed: its state, and functions that change it. */
export interface FakeMarket {
  readonly market: MarketId
  readonly ticker: string
  view: MarketView
  /** Prints so far, oldest first. */
  readonly trades: PrintedTrade[]
  book: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] } | null
  isStale: boolean
}

/** The key of a test client, and its user name. */
export const keyOf = (name: string): string => `svct_live_${name}`

const callerNamed = (name: string): Caller => ({
  id: name,
  userId: `user of ${name}`,
  isAdmin: false,
  tier: 'free',
  credential: { kind: 'data-key', id: name },
})

/**
 * Accepts every key with the right prefix that was not revoked; a cookie `session=<name>` counts
 * too.
 */
export function fakeAccess(): DataAccess & { revoke(name: string): void } {
  const revoked = new Set<string>()
  const listeners = new Set<(callerId: string, credentialId: string) => void>()
  const callerOfKey = (key: string): Promise<Caller> => {
    const name = /^svct_live_(.+)$/.exec(key)?.[1]
    return name === undefined || revoked.has(name)
      ? Promise.reject(new AuthInvalid())
      : Promise.resolve(callerNamed(name))
  }
  return {
    async callerOf({ authorization, cookie }) {
      const [header, second] = authorization
      if (header !== undefined) {
        const key = /^Bearer (.+)$/.exec(header)?.[1]
        if (key === undefined || second !== undefined) throw new AuthInvalid()
        return callerOfKey(key)
      }
      const name = /^session=(.+)$/.exec(cookie ?? '')?.[1]
      return name === undefined ? null : callerNamed(name)
    },
    callerOfKey,
    onEnded(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    revoke(name) {
      revoked.add(name)
      for (const listener of listeners) listener(name, name)
    },
  }
}

/** The socket over a feed and states that the test controls, on a real port of its own. */
export async function startSocketService(
  options: {
    clock?: Clock
    world?: WorldFeed
    tick?: number
    tickers?: readonly string[]
    fairUse?: number
  } = {},
) {
  const fakeClock = new FakeClock()
  const clock = options.clock ?? fakeClock
  const markets = new Map<string, FakeMarket>()
  let fails = false
  for (const ticker of options.tickers ?? ['KXONE', 'KXTWO']) {
    const view = marketView({ facts: { ticker } })
    const { market } = view
    markets.set(ticker, { market, ticker, view, trades: [], book: null, isStale: false })
  }
  const of = (ticker: string): FakeMarket => {
    const market = markets.get(ticker)
    if (market === undefined) throw new Error(`no market ${ticker}`)
    return market
  }
  const state = { isReady: true, movers: [] as readonly V1Mover[], reads: 0 }
  const read = <T>(value: T): Promise<T> => {
    state.reads += 1
    return fails ? Promise.reject(new Error('the history does not answer')) : Promise.resolve(value)
  }
  const bars = (ticker: string, width: Millis, asOf: Millis): CandleRow[] =>
    foldTrades(
      of(ticker).trades.filter(({ receivedAt }) => receivedAt <= asOf),
      width,
    ).map((bar) => ({ ...bar, source: 'trades', crossesGap: false }))
  const sources: SocketSources = {
    isReady: () => state.isReady,
    find: (name) => Promise.resolve(markets.has(name) ? { ...of(name), venue: 'venue_a' } : null),
    view: ({ ticker }) => of(ticker).view,
    book({ ticker }, depth) {
      const { book, isStale } = of(ticker)
      const known = book === null ? null : { book, at: clock.now() }
      return read(v1BookOf(ticker, known, depth, isStale || known === null))
    },
    isStale: ({ ticker }) => of(ticker).isStale,
    trades: ({ ticker }, limit) => {
      const rows = of(ticker).trades.toReversed().slice(0, limit)
      const key = { venue: 'venue_a', ticker } as const
      return read(rows.map((trade) => v1TradeOf(key, { ...trade, ts: trade.at })))
    },
    candles: ({ ticker }, { width, asOf, before, limit }) =>
      read(
        bars(ticker, width, asOf)
          .filter(({ start }) => start < before)
          .slice(-limit),
      ),
    movers: (_window, limit) => read(state.movers.slice(0, limit)),
    world: options.world ?? null,
  }
  const bus = createBus<FeedTopics>((error) => {
    throw error
  })
  const access = fakeAccess()
  const hub = new Hub({
    sources,
    feed: bus,
    access,
    clock,
    log: silentLogger,
    counts: createConnectionCount(LIMITS.connections),
    // On a clock that does not advance the next tick would never occur.
    tick: options.tick ?? 0,
  })
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  bound.serve(createHttpApp({ logger: silentLogger }), {
    clock,
    logger: silentLogger,
    fairUse: options.fairUse ?? null,
  })
  mountUpgrade(bound, createSocketEndpoint({ hub, access, log: silentLogger }))
  let prints = 0
  return {
    hub,
    access,
    clock,
    /** The service's clock when none was passed in. */
    fakeClock,
    state,
    url: `ws://127.0.0.1:${bound.port}/ws`,
    bound,
    market: of,
    /** Makes every read of a state fail, or succeed again. */
    failReads: (failing: boolean) => {
      fails = failing
    },
    /** Changes a market's fields, and publishes them. */
    restate(ticker: string, view: Partial<MarketView>): void {
      const market = of(ticker)
      market.view = { ...market.view, ...view }
      bus.publish('quote', { market: market.market })
    },
    /** Prints a trade. @param price in cents */
    print(ticker: string, price: number, trade: Partial<PrintedTrade> = {}): PrintedTrade {
      prints += 1
      const printed: PrintedTrade = {
        at: clock.now(),
        receivedAt: clock.now(),
        tradeId: `t${String(prints).padStart(6, '0')}`,
        price: (price * 100) as PriceE4,
        size: 1_000_000 as SizeE6,
        takerSide: 'yes',
        isBlock: false,
        ...trade,
      }
      const market = of(ticker)
      market.trades.push(printed)
      market.trades.sort((a, b) => a.at - b.at || (a.tradeId < b.tradeId ? -1 : 1))
      bus.publish('trade', { market: market.market, event: printed })
      return printed
    },
    /** Replaces a book. Levels are [cents, contracts], best first. */
    setBook(ticker: string, sides: { bids: [number, number][]; asks: [number, number][] }): void {
      const market = of(ticker)
      const levels = (side: [number, number][]): BookLevel[] =>
        side.map(([price, size]) => ({
          price: (price * 100) as PriceE4,
          size: (size * 1_000_000) as SizeE6,
        }))
      market.book = { bids: levels(sides.bids), asks: levels(sides.asks) }
      bus.publish('book', { market: market.market, event: market.book })
    },
    stop: () => bound.close(50),
  }
}
export type SocketService = Awaited<ReturnType<typeof startSocketService>>
