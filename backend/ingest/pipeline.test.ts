import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  type Millis,
  type PriceE4,
  type SizeE6,
} from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryImports } from '../history/history-copies.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { createBus, type Bus } from '../lib/bus.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { JumpingClock } from '../testing/jumping-clock.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { barAt } from '../testing/venue-events.ts'
import type {
  ActivityReported,
  CandlePublished,
  QuoteChanged,
  TradePrinted,
  VenueEvent,
} from '../venues/connector.ts'
import type { LostRows } from './batch.ts'
import { IngestPipeline, type IngestTopics } from './pipeline.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const TICKER = 'KXTEST-26DEC31-A'

const stamp = (at: number) => ({
  venue: 'venue_a' as const,
  ticker: TICKER,
  at: at as Millis,
  receivedAt: (at + 200) as Millis,
  origin: 'live' as const,
})
const described = (facts = {}): VenueEvent => ({
  ...stamp(NOW),
  type: 'market_described',
  facts: marketFacts(facts),
})
const trade = (tradeId: string, at: number, price = 4_100): TradePrinted => ({
  ...stamp(at),
  type: 'trade_printed',
  tradeId,
  price: price as PriceE4,
  size: 1_000_000 as SizeE6,
  takerSide: 'yes',
  isBlock: false,
})
const quote = (bid: number, at: number): QuoteChanged => ({
  ...stamp(at),
  type: 'quote_changed',
  bid: bid as PriceE4,
  bidSize: null,
  ask: 4_300 as PriceE4,
  askSize: null,
})

describe('ingest pipeline', () => {
  let history: HistoryStore & HistoryImports
  let clock: FakeClock
  let wall: JumpingClock
  let bus: Bus<IngestTopics>
  let pipeline: IngestPipeline
  const start = () => new IngestPipeline({ history, bus, clock: wall, log: silentLogger })

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    clock = new FakeClock(NOW)
    wall = new JumpingClock(clock)
    bus = createBus<IngestTopics>((error) => {
      throw error
    })
    pipeline = start()
  })
  afterEach(async () => {
    await pipeline.close()
    await history.close()
  })

  /** Accepts events one by one, each at its time of receipt. */
  const receive = async (...events: readonly VenueEvent[]): Promise<void> => {
    for (const event of events) {
      await clock.advance(Math.max(0, event.receivedAt - clock.now()))
      await pipeline.accept([event])
    }
  }
  const storedTrades = async () => {
    const market = history.marketIdOf(TICKER)?.market ?? -1
    const asOf = (NOW + HOUR) as Millis
    const rows = await history.trades({ market, from: 0 as Millis, to: asOf, asOf })
    return rows.map((row) => row.tradeId)
  }
  const storedQuotes = async () => {
    const market = history.marketIdOf(TICKER)?.market ?? -1
    const asOf = (NOW + HOUR) as Millis
    const rows = await history.quotes({ market, from: 0 as Millis, to: asOf, asOf })
    return rows.map(({ ts, bid }) => [ts - NOW, bid])
  }

  it('stores what is new, once, and publishes it', async () => {
    const received: string[] = []
    bus.subscribe('trade', ({ event }) => received.push(event.tradeId))
    await pipeline.accept([described(), trade('a', NOW), trade('a', NOW), trade('b', NOW + 1)])
    await pipeline.accept([trade('b', NOW + 1)])
    await pipeline.flush()
    expect(await storedTrades()).toEqual(['a', 'b'])
    expect(received).toEqual(['a', 'b'])
    expect(pipeline.stats().duplicates).toBe(2)
  })

  it('stores no trade twice over a restart', async () => {
    await pipeline.accept([described(), trade('a', NOW), trade('b', NOW + 1)])
    await pipeline.close()
    clock = new FakeClock(NOW + MINUTE)
    wall = new JumpingClock(clock)
    pipeline = start()
    await pipeline.resume(await history.recordsAt(clock.now(), null), ['venue_a', 'venue_b'])
    await pipeline.accept([trade('b', NOW + 1), trade('late', NOW + 1), trade('c', NOW + 2)])
    await pipeline.flush()
    expect(await storedTrades()).toEqual(['a', 'b', 'late', 'c'])
  })

  it('stores a quote when it changes, and again after a while to confirm it', async () => {
    await pipeline.accept([described()])
    await receive(quote(4_000, NOW), quote(4_000, NOW + SECOND), quote(4_100, NOW + 2 * SECOND))
    await receive(quote(4_100, NOW + 4 * MINUTE), quote(4_100, NOW + 6 * MINUTE))
    await pipeline.flush()
    expect(await storedQuotes()).toEqual([
      [0, 4_000],
      [2 * SECOND, 4_100],
      [6 * MINUTE, 4_100],
    ])
  })

  it('stores a late event of an earlier moment and still uses the newer one as current', async () => {
    await receive(described(), quote(4_100, NOW + 10 * SECOND), quote(4_000, NOW))
    await receive(quote(4_100, NOW + 11 * SECOND), quote(4_000, NOW + 12 * SECOND))
    await pipeline.flush()
    expect(await storedQuotes()).toEqual([
      [0, 4_000],
      [10 * SECOND, 4_100],
      [12 * SECOND, 4_000],
    ])
  })

  it('dates an event as known from when it was published, however long it was in transit', async () => {
    await pipeline.accept([described()])
    await clock.advance(HOUR / 2)
    await pipeline.accept([trade('a', NOW), quote(4_100, NOW)])
    await pipeline.flush()
    const market = history.marketIdOf(TICKER)?.market ?? -1
    const numbersAt = async (asOf: number) => (await history.numbersAt(asOf as Millis, [market]))[0]
    expect(await numbersAt(clock.now() - 1)).toMatchObject({ last: null, quote: null })
    expect(await numbersAt(clock.now())).toMatchObject({
      last: { price: 4_100, ts: NOW },
      quote: { bid: 4_100, ts: NOW, knownAt: clock.now() },
    })
  })

  it('dates events ahead of our clock as of now', async () => {
    const events: unknown[] = []
    bus.subscribe('trade', ({ event }) => events.push([event.at, event.receivedAt]))
    bus.subscribe('quote', ({ event }) => events.push([event.at, event.receivedAt]))
    const ahead = NOW + 5 * SECOND
    await pipeline.accept([described(), trade('a', ahead), quote(4_100, ahead)])
    expect(events).toEqual([
      [NOW, NOW],
      [NOW, NOW],
    ])
    await clock.advance(SECOND)
    await pipeline.accept([quote(4_000, NOW + SECOND), trade('a', ahead)])
    await pipeline.flush()
    expect(await storedQuotes()).toEqual([
      [0, 4_100],
      [SECOND, 4_000],
    ])
    expect(pipeline.stats()).toMatchObject({ duplicates: 1, corrections: 0 })
  })

  it('dates a market from its listing during the backfill, and from its first event afterwards', async () => {
    const listed = { openTime: (NOW - HOUR) as Millis }
    const other = 'KXTEST-26DEC31-B'
    await pipeline.accept([described(listed)])
    pipeline.loadsHistory(new Set(['venue_b']))
    await pipeline.accept([{ ...described({ ...listed, ticker: other }), ticker: other }])
    await pipeline.flush()
    const known = async (asOf: number) =>
      (await history.recordsAt(asOf as Millis, null)).map(({ facts }) => facts.ticker)
    expect(await known(NOW - 1)).toEqual([TICKER])
    expect(await known(NOW)).toEqual([TICKER, other])
  })

  it('versions facts only when they change', async () => {
    const requests = vi.spyOn(history, 'marketIds')
    await pipeline.accept([described(), described()])
    await pipeline.accept([described({ title: 'Will it really pass?' })])
    await pipeline.accept([described({ title: 'Will it really pass?' })])
    // Only a new market is looked up.
    expect(requests).toHaveBeenCalledTimes(1)
    await pipeline.flush()
    const versions = await history.recordsBetween(0 as Millis, (NOW + HOUR) as Millis)
    expect(versions.map(({ facts }) => facts.title)).toEqual([
      'Will the test pass?',
      'Will it really pass?',
    ])
  })

  it('drops and counts events of unknown markets', async () => {
    await pipeline.accept([trade('x', NOW)])
    expect(pipeline.stats()).toMatchObject({ accepted: 0, unknownMarket: 1 })
  })

  it('stores counters when they change, and every one of them counts', async () => {
    const events: unknown[] = []
    bus.subscribe('activity', ({ event }) => events.push(event.volume))
    type Counters = Pick<ActivityReported, 'volume' | 'volume24h' | 'openInterest' | 'lastPrice'>
    const counters = { volume: 1, volume24h: 2, openInterest: 3, lastPrice: 4 }
    const report = (change: Partial<Counters> = {}): VenueEvent => ({
      ...stamp(NOW),
      type: 'activity_reported',
      ...(counters as object as Counters),
      ...change,
    })
    await pipeline.accept([described(), report(), report()])
    expect(events).toHaveLength(1)
    for (const name of ['volume', 'volume24h', 'openInterest', 'lastPrice'] as const)
      await pipeline.accept([report({ [name]: 9 }), report()])
    expect(events).toHaveLength(9)
    expect(pipeline.stats().accepted).toBe(10)
  })

  it('publishes the confirmation of a quote and each book, with whether it is stored', async () => {
    const events: unknown[] = []
    bus.subscribe('quote', () => events.push('quote'))
    bus.subscribe('quoteConfirmed', () => events.push('confirmed'))
    bus.subscribe('book', ({ isStored }) => events.push(isStored))
    const book: VenueEvent = { ...stamp(NOW), type: 'book_changed', bids: [], asks: [] }
    await pipeline.accept([described(), quote(4_000, NOW), quote(4_000, NOW), book, book])
    expect(events).toEqual(['quote', 'confirmed', true, false])
    // The description, the quote and one book.
    expect(pipeline.stats().accepted).toBe(3)
  })

  it('stores the quote at the end of a bar that has one', async () => {
    const bar = (end: number, sides: Partial<CandlePublished>): VenueEvent =>
      barAt(end, HOUR, { ticker: TICKER, origin: 'backfilled', ...sides })
    await pipeline.accept([
      described(),
      bar(NOW - 3 * HOUR, {}),
      bar(NOW - 2 * HOUR, { bidClose: 4_100 as PriceE4 }),
      bar(NOW - HOUR, { askClose: 4_300 as PriceE4 }),
    ])
    await pipeline.flush()
    expect(await storedQuotes()).toEqual([
      [-2 * HOUR, 4_100],
      [0 - HOUR, null],
    ])
    expect((await history.size()).candles).toBe(3)
  })

  it('removes a trade that its venue busted, and corrects one that it restated', async () => {
    const corrections: unknown[] = []
    bus.subscribe('correction', ({ at }) => corrections.push(at - NOW))
    await receive(described())
    await pipeline.accept([trade('a', NOW), trade('b', NOW + 1), trade('c', NOW + 2)])
    await clock.advance(SECOND)
    await pipeline.accept([
      { ...stamp(NOW), type: 'trade_busted', tradeId: 'a' },
      trade('b', NOW + 1, 4_500),
    ])
    await pipeline.flush()
    const { market = -1 } = history.marketIdOf(TICKER) ?? {}
    const pricesAt = async (asOf: number) =>
      (
        await history.trades({
          market,
          from: 0 as Millis,
          to: (NOW + HOUR) as Millis,
          asOf: asOf as Millis,
        })
      ).map(({ tradeId, price }) => [tradeId, price])
    expect(await pricesAt(clock.now())).toEqual([
      ['b', 4_500],
      ['c', 4_100],
    ])
    expect(await pricesAt(clock.now() - 1)).toEqual([
      ['a', 4_100],
      ['b', 4_100],
      ['c', 4_100],
    ])
    expect(corrections).toEqual([0, 1])
    expect(pipeline.stats()).toMatchObject({ accepted: 4, corrections: 2, duplicates: 0 })
  })

  it('keeps the order of descriptions and continues after one that failed', async () => {
    const marketIds = history.marketIds.bind(history)
    history.marketIds = () => Promise.reject(new Error('no space left'))
    await expect(pipeline.accept([described()])).rejects.toThrow('no space left')
    history.marketIds = marketIds
    const titles: unknown[] = []
    bus.subscribe('facts', ({ facts }) => titles.push(facts.title))
    await Promise.all(['One?', 'Two?'].map((title) => pipeline.accept([described({ title })])))
    expect(titles).toEqual(['One?', 'Two?'])
  })

  it('calls its listeners after a repair, and stores the next quote again', async () => {
    let repairs = 0
    pipeline.onRepaired(() => (repairs += 1))
    await pipeline.accept([described(), quote(4_000, NOW), trade('a', NOW)])
    expect(repairs).toBe(0)
    await pipeline.recordRepair()
    expect(repairs).toBe(1)
    expect(await storedTrades()).toEqual(['a'])
    await pipeline.accept([quote(4_000, NOW), trade('a', NOW)])
    await pipeline.flush()
    expect(await storedTrades()).toEqual(['a'])
    expect((await history.size()).quotes).toBe(2)
    expect(pipeline.stats().duplicates).toBe(1)
  })

  it('stores a statement of coverage by itself, and for a read of its time', async () => {
    const row = {
      venue: 'venue_a',
      market: null,
      feed: 'quotes',
      state: 'live',
      from: NOW,
      to: null,
      reason: null,
    } as const
    const open = async () => (await history.openCoverage('venue_a')).length
    pipeline.recordCoverage([])
    expect(pipeline.stats().waiting).toBe(0)
    pipeline.recordCoverage([{ ...row, knownAt: (NOW + 1) as Millis }])
    await pipeline.settle(NOW)
    expect(await open()).toBe(0)
    await pipeline.settle((NOW + 1) as Millis)
    expect(await open()).toBe(1)
    pipeline.recordCoverage([{ ...row, feed: 'trades', knownAt: (NOW + 1) as Millis }])
    await clock.advance(250)
    await pipeline.flush()
    expect(await open()).toBe(2)
  })

  it('keeps a batch that could not be written and writes it later', async () => {
    let broken = true
    const append = history.append.bind(history)
    history.append = (batch: HistoryBatch) =>
      broken ? Promise.reject(new Error('no space left')) : append(batch)
    await pipeline.accept([described(), trade('a', NOW)])
    await expect(pipeline.flush()).rejects.toThrow('could not be written')
    broken = false
    await pipeline.flush()
    expect(await storedTrades()).toEqual(['a'])
  })

  it('flushes by itself as time passes', async () => {
    await pipeline.accept([described(), trade('a', NOW)])
    await clock.advance(300)
    await pipeline.flush()
    expect(await storedTrades()).toEqual(['a'])
  })

  describe('while the disk refuses rows', () => {
    let isFull = false
    beforeEach(async () => {
      isFull = true
      const append = history.append.bind(history)
      history.append = (batch: HistoryBatch) =>
        isFull ? Promise.reject(new Error('no space left')) : append(batch)
      const deps = { history, bus, clock, log: silentLogger }
      pipeline = new IngestPipeline({ ...deps, maxWaiting: 1_000 })
      await pipeline.accept([described()])
      await clock.advance(300)
    })
    const quotes = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => quote(1 + (n % 2), from + n))

    it('drops quotes before trades, stays within its bound, and reports the loss', async () => {
      const lost: LostRows[] = []
      pipeline.onLost((one) => lost.push(one))
      await pipeline.accept([trade('a', NOW)])
      for (let n = 0; n < 21; n += 1) {
        await clock.advance(1_000)
        await pipeline.accept(quotes(NOW + n * 1_000, 500))
        expect(pipeline.stats().waiting).toBeLessThanOrEqual(1_000)
      }
      expect(lost).toEqual([])
      isFull = false
      await pipeline.flush()
      expect(await storedTrades()).toEqual(['a'])
      expect(lost).toEqual([
        { venue: 'venue_a', feed: 'quotes', from: NOW, to: expect.any(Number) as number },
      ])
      expect(await storedQuotes()).not.toEqual([])
      for (const [at] of await storedQuotes())
        expect(at).toBeGreaterThanOrEqual((lost[0]?.to ?? 0) - NOW)
    })

    it('stores a trade again that it had to drop, and publishes nothing twice', async () => {
      const events: string[] = []
      bus.subscribe('trade', ({ event }) => events.push(event.tradeId))
      const trades = Array.from({ length: 1_200 }, (_, n) => trade(`t${n}`, NOW + n))
      await clock.advance(2_000)
      const lost: LostRows[] = []
      pipeline.onLost((one) => lost.push(one))
      await pipeline.accept(trades)
      expect(pipeline.stats().waiting).toBeLessThan(10)
      isFull = false
      await pipeline.accept([trade('t0', NOW)])
      await pipeline.flush()
      for (const half of [trades.slice(0, 600), trades.slice(600)]) {
        await pipeline.accept(half)
        await pipeline.flush()
      }
      expect(lost).toEqual([{ venue: 'venue_a', feed: 'trades', from: NOW, to: NOW + 1_200 }])
      expect((await storedTrades()).length).toBe(1_200)
      expect(events).toHaveLength(1_200)
    })
  })

  describe('when the wall clock was wrong and is corrected', () => {
    const read = async () => {
      await pipeline.flush()
      const { market = -1 } = history.marketIdOf(TICKER) ?? {}
      const trades = await history.trades({
        market,
        from: (NOW - 2 * DAY) as Millis,
        to: (NOW + 2 * DAY) as Millis,
        asOf: wall.now(),
      })
      return trades.map(({ tradeId, ts }) => [tradeId, ts - NOW])
    }

    it.each([
      ['an hour back', 0 - HOUR],
      ['a leap second back', 0 - SECOND],
      ['a day ahead', DAY],
    ])('stores trades at their own times: %s', async (_what, jump) => {
      const corrections: unknown[] = []
      await pipeline.accept([described(), trade('before', NOW)])
      wall.jump(jump)
      pipeline.checkClock()
      bus.subscribe('correction', ({ at }) => corrections.push(at))
      await pipeline.accept([trade('under', NOW + 1), trade('under too', NOW + 2)])
      wall.jump(0 - jump)
      await clock.advance(SECOND)
      pipeline.checkClock()
      pipeline.checkClock()
      expect(await read()).toEqual([
        ['before', 0],
        ['under', 1],
        ['under too', 2],
      ])
      expect(corrections).toEqual([NOW + 1])
      await pipeline.accept([trade('under', NOW + 1)])
      expect(pipeline.stats()).toMatchObject({ corrections: 2, duplicates: 1 })
    })

    it('announces each step of the clock, and stores the corrections by itself', async () => {
      const steps: number[] = []
      bus.subscribe('clockSet', ({ step }) => steps.push(step))
      await pipeline.accept([described()])
      pipeline.checkClock()
      expect(steps).toEqual([])
      wall.jump(DAY)
      pipeline.checkClock()
      await pipeline.accept([trade('under', NOW + 1)])
      await pipeline.flush()
      wall.jump(0 - DAY)
      await clock.advance(SECOND)
      pipeline.checkClock()
      expect(steps).toEqual([DAY, 0 - DAY])
      expect(pipeline.stats().waiting).toBe(1)
      await clock.advance(250)
      expect(pipeline.stats().waiting).toBe(0)
    })

    it('does not change events of a venue whose clock is a little ahead', async () => {
      await pipeline.accept([described(), trade('ahead', NOW + 300)])
      await clock.advance(SECOND)
      wall.jump(HOUR)
      pipeline.checkClock()
      expect(await read()).toEqual([['ahead', 0]])
      expect(pipeline.stats().corrections).toBe(0)
    })

    it('stores an unchanged quote once, not with every event', async () => {
      await pipeline.accept([described()])
      wall.jump(DAY)
      pipeline.checkClock()
      await pipeline.accept([quote(4_100, NOW + DAY)])
      wall.jump(0 - DAY)
      pipeline.checkClock()
      const events: unknown[] = []
      bus.subscribe('quote', (news) => events.push(news))
      for (let word = 0; word < 3; word += 1) await pipeline.accept([quote(4_100, NOW)])
      expect(events).toHaveLength(1)
    })
  })
})
