import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import fc, { scaled } from '../../scripts/properties.ts'
import type { MarketView } from '../computed/board/market-board.ts'
import { HOUR, MINUTE, SECOND, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { openHistory, type OpenHistory } from '../history/duckdb/open.ts'
import { LIVE_SETTINGS } from '../ingest/collect/collector-settings.ts'
import { StoreFailed } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { createMarketData, type MarketData } from './market-data.ts'
import { openState, type State } from '../state/open.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { marketFacts } from '../testing/market-facts.ts'
import type { VenueConnector, VenueEvent } from '../venues/connector.ts'

const START = Date.parse('2026-11-20T14:00:00Z') as Millis
const TICKERS = ['KXA', 'KXB', 'KXC'] as const

/** One event of one of the markets, some time after the previous one. */
interface Step {
  readonly wait: number
  readonly market: number
  readonly kind: 'trade' | 'quote' | 'book' | 'activity' | 'pause' | 'settle'
  readonly price: number
}

const step = fc.record<Step>({
  wait: fc.integer({ min: 1, max: 20 * MINUTE }),
  market: fc.integer({ min: 0, max: TICKERS.length - 1 }),
  kind: fc.constantFrom('trade', 'trade', 'quote', 'quote', 'quote', 'book', 'activity', 'pause'),
  price: fc.integer({ min: 200, max: 9_800 }),
})

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
const noPages = (signal: AbortSignal) => ({
  [Symbol.asyncIterator]: () => ({ next: () => never(signal) }),
})
/** A venue that accepts every request and never responds. */
const neverAnswering: VenueConnector = {
  venue: 'venue_a',
  tradesWithoutNames: true,
  streamsEveryTrade: true,
  clockOffset: 0,
  checkReachable: never,
  exchangePause: never,
  openMarkets: noPages,
  endedMarkets: (_since, signal) => noPages(signal),
  markets: (_tickers, signal) => never(signal),
  books: (_tickers, signal) => never(signal),
  trades: (_query, signal) => noPages(signal),
  candles: (_query, signal) => noPages(signal),
  stream: () => null,
  health: () => ({
    venue: 'venue_a',
    mode: 'down',
    lastMessageAt: null,
    lastError: null,
    requests: 0,
    failures: 0,
    skipped: {},
  }),
}

describe('market data', () => {
  let history: OpenHistory
  let state: State
  let clock: FakeClock
  let data: MarketData

  const open = async (prepare = (_: OpenHistory): void => {}): Promise<void> => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    prepare(history)
    state = await openState(':memory:')
    clock = new FakeClock(START)
    data = createMarketData({
      history,
      state,
      clock,
      log: silentLogger,
      onHistoryChanged: () => {},
    })
    await data.start({
      source: 'none',
      connectors: [],
      settings: LIVE_SETTINGS,
      simulator: null,
      close: () => Promise.resolve(),
    })
  }
  const close = async (): Promise<void> => {
    await data.stop()
    await history.close()
    await state.destroy()
  }
  beforeEach(() => open())
  afterEach(close)

  const eventOf = ({ market, kind, price }: Step, serial: number): VenueEvent => {
    const ticker = TICKERS[market] ?? 'KXA'
    const stamp = {
      venue: 'venue_a' as const,
      ticker,
      at: (clock.now() - 50) as Millis,
      receivedAt: clock.now(),
      origin: 'live' as const,
    }
    const level = (cents: number) => ({
      price: (price + cents * 100) as PriceE4,
      size: (1_000_000 * (serial + 1)) as SizeE6,
    })
    switch (kind) {
      case 'trade':
        return {
          ...stamp,
          type: 'trade_printed',
          tradeId: `t${serial}`,
          price: price as PriceE4,
          size: 1_000_000 as SizeE6,
          takerSide: 'yes',
          isBlock: serial % 7 === 0,
        }
      case 'quote':
        return {
          ...stamp,
          type: 'quote_changed',
          bid: (price - 100) as PriceE4,
          ask: (price + 100 * (serial % 12)) as PriceE4,
          bidSize: null,
          askSize: null,
        }
      case 'book':
        return { ...stamp, type: 'book_changed', bids: [level(-1)], asks: [level(1)] }
      case 'activity':
        return {
          ...stamp,
          type: 'activity_reported',
          volume: price as SizeE6,
          volume24h: price as SizeE6,
          openInterest: null,
          lastPrice: serial % 3 === 0 ? null : (price as PriceE4),
        }
      default:
        return {
          ...stamp,
          type: 'market_described',
          facts: marketFacts({ ticker, status: serial % 2 === 0 ? 'paused' : 'active' }),
        }
    }
  }

  const describeAll = (): Promise<void> =>
    data.accept(
      TICKERS.map((ticker) => ({
        type: 'market_described',
        venue: 'venue_a',
        ticker,
        at: clock.now(),
        receivedAt: clock.now(),
        origin: 'polled',
        facts: marketFacts({ ticker, eventId: 'KX', exclusive: true }),
      })),
    )

  const picture = async (asOf: Millis | null) => {
    const board = await data.board.at(asOf)
    const byTicker = (a: MarketView, b: MarketView) => (a.facts.ticker < b.facts.ticker ? -1 : 1)
    const single = await Promise.all(TICKERS.map((ticker) => data.board.market(ticker, asOf)))
    return { list: [...board.list(null)].sort(byTicker), single }
  }

  // [conventions.as-of.never-changes]
  it('returns the same later for a past instant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await close()
        await open()
        await describeAll()
        const seen: { at: Millis; picture: unknown }[] = []
        for (const [serial, one] of steps.entries()) {
          await clock.advance(one.wait)
          await data.accept([eventOf(one, serial)])
          await clock.advance(1)
          if (serial % 3 === 0) seen.push({ at: clock.now(), picture: await picture(null) })
          await clock.advance(1)
        }
        await clock.advance(26 * HOUR)
        for (const { at, picture: then } of seen) expect(await picture(at)).toEqual(then)
      }),
      { numRuns: scaled(5), endOnFailure: true },
    )
  })

  // [conventions.as-of.never-changes]
  it.each([
    { what: 'a quote that was known for less than an hour and stated before', after: HOUR - 20 },
    { what: 'a quote that was known for an hour', after: HOUR },
  ])('returns the same later for $what', async ({ after }) => {
    await describeAll()
    await data.accept([eventOf({ wait: 0, market: 0, kind: 'quote', price: 4_000 }, 1)])
    await clock.advance(after)
    const at = clock.now()
    const then = await picture(null)
    expect(then.list[0]?.quotedAt).toBe(START)
    await clock.advance(2 * HOUR)
    expect(await picture(at)).toEqual(then)
  })

  // [conventions.as-of.never-changes]
  it('returns the same later for a book that was dated an hour ago', async () => {
    await describeAll()
    await data.accept([eventOf({ wait: 0, market: 0, kind: 'book', price: 4_000 }, 1)])
    await clock.advance(HOUR - 50)
    await data.accept([eventOf({ wait: 0, market: 0, kind: 'quote', price: 4_000 }, 1)])
    const at = clock.now()
    const then = await picture(null)
    expect(then.list[0]?.bidDepthUsd).not.toBeNull()
    await clock.advance(2 * HOUR)
    expect(await picture(at)).toEqual(then)
  })

  it('serves a change from the moment it becomes known', async () => {
    await describeAll()
    await clock.advance(MINUTE)
    await data.accept([eventOf({ wait: 0, market: 0, kind: 'pause', price: 0 }, 0)])
    const requested = { since: START, types: null, markets: null, after: null, limit: 10 }
    const changes = await data.history.changes({ ...requested, asOf: clock.now() })
    expect(changes).toMatchObject([
      { type: 'status_change', before: 'active', after: 'paused', at: clock.now() },
    ])
  })

  describe('after a cancelled trade', () => {
    const trade = (serial: number, price: number): VenueEvent =>
      eventOf({ wait: 0, market: 0, kind: 'trade', price }, serial)
    const cancelled = (serial: number): VenueEvent => ({
      type: 'trade_busted',
      venue: 'venue_a',
      ticker: 'KXA',
      tradeId: `t${serial}`,
      at: (clock.now() - 50) as Millis,
      receivedAt: clock.now(),
      origin: 'live',
    })
    /** Accepts an event after the last trade was read from history and before it is served. */
    const duringRead = (event: () => VenueEvent): void => {
      const read = history.numbersAt.bind(history)
      vi.spyOn(history, 'numbersAt').mockImplementationOnce(async (...query) => {
        const numbers = await read(...query)
        await data.accept([event()])
        return numbers
      })
    }
    const lastPrice = async (): Promise<number | undefined> =>
      (await data.board.market('KXA', null))?.lastPrice ?? undefined
    const settled = async (): Promise<void> => {
      await clock.advance(SECOND)
      await data.settle()
      await eventually(async () => expect(await lastPrice()).not.toBe(90))
    }

    beforeEach(async () => {
      await describeAll()
      for (const [serial, price] of [3_000, 8_000, 9_000].entries()) {
        await clock.advance(SECOND)
        await data.accept([trade(serial + 1, price)])
      }
      expect(await lastPrice()).toBe(90)
    })

    it('serves the last trade before it', async () => {
      await data.accept([cancelled(3)])
      await settled()
      expect(await lastPrice()).toBe(80)
    })

    it('serves a trade that arrives meanwhile', async () => {
      await clock.advance(SECOND)
      duringRead(() => trade(4, 4_000))
      await data.accept([cancelled(3)])
      await settled()
      expect(await lastPrice()).toBe(40)
    })

    it('serves the last trade before two of them', async () => {
      duringRead(() => cancelled(2))
      await data.accept([cancelled(3)])
      await settled()
      await eventually(async () => expect(await lastPrice()).toBe(30))
    })
  })

  it('stops even if the first catalogue never arrived', async () => {
    await data.stop()
    data = createMarketData({
      history,
      state,
      clock,
      log: silentLogger,
      onHistoryChanged: () => {},
    })
    const requested = Promise.withResolvers<void>()
    const connector: VenueConnector = {
      ...neverAnswering,
      openMarkets(signal) {
        requested.resolve()
        return noPages(signal)
      },
    }
    const starting = data.start({
      source: 'live',
      connectors: [connector],
      settings: LIVE_SETTINGS,
      simulator: null,
      close: () => Promise.resolve(),
    })
    await requested.promise
    await data.stop()
    await starting
  })

  it('starts while no venue is reachable, and becomes ready when one is', async () => {
    await data.stop()
    data = createMarketData({
      history,
      state,
      clock,
      log: silentLogger,
      onHistoryChanged: () => {},
    })
    const requested = Promise.withResolvers<void>()
    const reachable = Promise.withResolvers<void>()
    const connector: VenueConnector = {
      ...neverAnswering,
      async *openMarkets() {
        requested.resolve()
        await reachable.promise
        yield []
      },
    }
    const starting = data.start({
      source: 'live',
      connectors: [connector],
      settings: LIVE_SETTINGS,
      simulator: null,
      close: () => Promise.resolve(),
    })
    await requested.promise
    await clock.advance(15 * SECOND)
    await starting
    expect(data.board.ready).toBe(false)
    reachable.resolve()
    await eventually(() => expect(data.board.ready).toBe(true))
  })

  it('retries rows that its history refused for a while', async () => {
    await close()
    const refused = new StoreFailed('The history could not be written')
    await open((store) => {
      vi.spyOn(store, 'sortClosedHours').mockRejectedValueOnce(refused)
      vi.spyOn(store, 'changes').mockResolvedValueOnce([]).mockRejectedValueOnce(refused)
    })
    const seen: string[] = []
    void data.backfilled.then(() => seen.push('backfilled'))
    void data.derived.then(() => seen.push('derived'))
    await eventually(() => clock.advance(SECOND).then(() => expect(seen.length).toBe(2)))
    expect(seen).toEqual(['backfilled', 'derived'])
  })

  it('loads what an earlier run stored when it starts', async () => {
    await describeAll()
    await data.accept([eventOf({ wait: 0, market: 0, kind: 'quote', price: 4_000 }, 3)])
    await clock.advance(MINUTE)
    const before = await picture(null)
    await data.stop()
    data = createMarketData({
      history,
      state,
      clock,
      log: silentLogger,
      onHistoryChanged: () => {},
    })
    await data.start({
      source: 'none',
      connectors: [],
      settings: LIVE_SETTINGS,
      simulator: null,
      close: () => Promise.resolve(),
    })
    expect(await picture(null)).toEqual(before)
  })
})
