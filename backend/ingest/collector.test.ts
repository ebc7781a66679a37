import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, type Millis, type SizeE6 } from '../domain/units.ts'
import type { Venue } from '../domain/market.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryImports } from '../history/history-copies.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { createBus } from '../lib/bus.ts'
import { silentLogger } from '../lib/logger.ts'
import { createFeedsStore, type FeedsStore } from '../state/feeds.store.ts'
import { openState, type State } from '../state/open.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { FakeVenue, type VenueStory } from '../testing/fake-venue.ts'
import { activityAt, barAt, bookAt, described, traded } from '../testing/venue-events.ts'
import { Collector } from './collector.ts'
import { LIVE_SETTINGS } from './collector-settings.ts'
import { IngestPipeline, type IngestTopics } from './pipeline.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const OLDEST = 0 as Millis

/** Two open markets and one that settled two hours ago, with trades of the last three days. */
const storyOf = (venue: Venue): VenueStory => {
  const settled = { venue, ticker: 'OVER', status: 'settled', result: 'yes' } as const
  return {
    open: [
      described(NOW, { venue, ticker: 'BUSY' }),
      activityAt(NOW, { venue, ticker: 'BUSY', volume24h: 9 as SizeE6 }),
      described(NOW, { venue, ticker: 'QUIET' }),
    ],
    ended: [described(NOW - 2 * HOUR, settled)],
    books: [bookAt(NOW, { venue, ticker: 'BUSY' })],
    trades: [
      traded(NOW - 3 * DAY, { venue, ticker: 'BUSY', tradeId: 'too old' }),
      traded(NOW - 20 * HOUR, { venue, ticker: 'BUSY', tradeId: 'busy' }),
      traded(NOW - 3 * HOUR, { venue, ticker: 'OVER', tradeId: 'over' }),
      traded(NOW - HOUR, { venue, ticker: 'QUIET', tradeId: 'quiet' }),
    ],
    bars: [barAt(NOW - HOUR, HOUR, { venue, ticker: 'BUSY' })],
  }
}

describe('the collector of a venue', () => {
  let history: HistoryStore & HistoryImports
  let state: State
  let progress: FeedsStore
  let clock: FakeClock
  let pipeline: IngestPipeline
  let stop: AbortController
  let runs: Promise<void>[]

  const begin = (): void => {
    clock = new FakeClock(NOW)
    const bus = createBus<IngestTopics>((error) => {
      throw error
    })
    pipeline = new IngestPipeline({ history, bus, clock, log: silentLogger })
    stop = new AbortController()
    runs = []
  }
  const end = async (): Promise<void> => {
    stop.abort()
    await Promise.all(runs)
    await pipeline.close()
  }
  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    state = await openState(':memory:')
    progress = createFeedsStore(state)
    begin()
  })
  afterEach(async () => {
    await end()
    await history.close()
    await state.destroy()
  })

  const collect = (connector: FakeVenue, settings = {}): Collector => {
    const deps = { connector, pipeline, history, progress, clock, log: silentLogger }
    const collector = new Collector({ ...deps, settings: { ...LIVE_SETTINGS, ...settings } })
    runs.push(collector.run(stop.signal))
    return collector
  }
  /** Moves the clock once everything that is due has gone to sleep again. */
  const pass = async (span: number): Promise<void> => {
    await clock.advance(0)
    await clock.advance(span)
  }
  const storedTrades = async (ticker: string) => {
    await pipeline.flush()
    const market = history.marketIdOf(ticker)?.market ?? -1
    const asOf = (clock.now() + HOUR) as Millis
    return (await history.trades({ market, from: OLDEST, to: asOf, asOf })).map(
      (trade) => trade.tradeId,
    )
  }
  /** A venue whose past was read completely by an earlier run, one hour before now. */
  const readBefore = (venue: Venue) =>
    progress.save(venue, {
      backfilledAt: (NOW - DAY) as Millis,
      tradesUntil: (NOW - HOUR) as Millis,
      endedUntil: (NOW - HOUR) as Millis,
    })

  describe('at a first start', () => {
    it('reads the catalogue, what ended, trades and bars as far back as settings say', async () => {
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      const collector = collect(venue)
      await collector.barsRead
      expect(venue.asked[0]).toEqual({ what: 'openMarkets' })
      expect(venue.askedFor('endedMarkets')).toEqual([
        { what: 'endedMarkets', from: NOW - DAY - HOUR },
      ])
      expect(venue.askedFor('candles')).toEqual([
        { what: 'candles', tickers: ['BUSY', 'QUIET'], from: NOW - 7 * DAY, to: NOW },
      ])
      expect(await storedTrades('BUSY')).toEqual(['busy'])
      expect(await storedTrades('OVER')).toEqual(['over'])
      expect(await storedTrades('QUIET')).toEqual(['quiet'])
      expect((await history.size()).candles).toBe(1)
      expect(await progress.progressOf('venue_a')).toEqual({
        backfilledAt: NOW,
        tradesUntil: NOW,
        endedUntil: NOW,
        aliveUntil: null,
      })
    })

    it('names the markets, ended ones too, where the venue tells trades by market', async () => {
      const venue = new FakeVenue('venue_b', storyOf('venue_b'))
      await collect(venue).backfilled
      expect(venue.askedFor('trades')).toMatchObject([
        { tickers: ['OVER', 'BUSY', 'QUIET'], from: NOW - DAY, to: NOW, origin: 'backfilled' },
      ])
    })

    it('that was cut short is finished by the next one', async () => {
      const first = new FakeVenue('venue_b', storyOf('venue_b'))
      first.failing.add('trades')
      collect(first)
      await eventually(() => expect(first.askedFor('trades')).not.toEqual([]))
      await end()
      begin()
      const second = new FakeVenue('venue_b', storyOf('venue_b'))
      second.hanging.add('candles')
      await collect(second).backfilled
      expect(await storedTrades('OVER')).toEqual(['over'])
      await eventually(() => expect(second.askedFor('candles')).toHaveLength(1))
      await end()
      begin()
      const third = new FakeVenue('venue_b', storyOf('venue_b'))
      await collect(third).barsRead
      expect(third.askedFor('candles')).toHaveLength(1)
      expect(third.askedFor('trades')).toMatchObject([{ from: NOW - 10 * SECOND }])
    })
  })

  describe('at a later start', () => {
    it('takes up where it stopped, with an overlap, and reads no bars', async () => {
      await readBefore('venue_a')
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      await collect(venue).barsRead
      expect(venue.askedFor('endedMarkets')).toMatchObject([{ from: NOW - 2 * HOUR }])
      expect(venue.askedFor('trades')).toMatchObject([
        { tickers: null, to: NOW, origin: 'polled' },
        { tickers: null, from: NOW - HOUR - 10 * SECOND, origin: 'polled' },
      ])
      expect(venue.askedFor('candles')).toEqual([])
      expect(await storedTrades('QUIET')).toEqual(['quiet'])
      expect((await progress.progressOf('venue_a')).tradesUntil).toBe(NOW)
    })

    it('reads from the newest trade on file where the place was noted by a clock ahead', async () => {
      await collect(new FakeVenue('venue_a', storyOf('venue_a'))).barsRead
      await end()
      const tomorrow = (NOW + DAY) as Millis
      await progress.save('venue_a', {
        ...{ tradesUntil: tomorrow, aliveUntil: tomorrow, endedUntil: tomorrow },
      })
      begin()
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      await collect(venue).backfilled
      expect(venue.askedFor('trades').at(-1)).toMatchObject({ from: NOW - HOUR - 10 * SECOND })
      expect(venue.askedFor('endedMarkets')).toMatchObject([{ from: NOW - 2 * HOUR }])
      await pipeline.flush()
      const market = history.marketIdOf('QUIET')?.market ?? -1
      const asked = { market, from: (NOW - 2 * HOUR) as Millis, to: NOW, asOf: clock.now() }
      expect((await history.coverage({ ...asked, feed: 'trades' })).at(-1)).toMatchObject({
        ...{ state: 'gap', from: NOW - HOUR, to: NOW },
      })
    })

    it('keeps the place while what was missed cannot be read', async () => {
      await readBefore('venue_a')
      const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
      venue.failing.add('trades')
      const collector = collect(venue, { catalogueEvery: 500 })
      await collector.described
      venue.handlers?.onRecovered(NOW, null)
      await eventually(async () => {
        await clock.advance(500)
        expect(venue.askedFor('openMarkets').length).toBeGreaterThan(3)
      }, 50)
      expect((await progress.progressOf('venue_a')).tradesUntil).toBe(NOW - HOUR)
      venue.failing.clear()
      await eventually(async () => {
        await clock.advance(SECOND)
        expect(await storedTrades('QUIET')).toEqual(['quiet'])
      }, 50)
    })
  })

  describe('of a venue that tells trades by market', () => {
    /** QUIET has overtaken BUSY, and BUSY traded once more. */
    const overtaken = (at: number): VenueStory => ({
      open: [
        described(NOW, { venue: 'venue_b', ticker: 'BUSY' }),
        activityAt(NOW, { venue: 'venue_b', ticker: 'BUSY', volume24h: 9 as SizeE6 }),
        described(NOW, { venue: 'venue_b', ticker: 'QUIET' }),
        activityAt(NOW, { venue: 'venue_b', ticker: 'QUIET', volume24h: 10 as SizeE6 }),
      ],
      trades: [traded(at, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'last' })],
    })
    const followed = { followed: 1 }
    const coverageOf = async (ticker: string, from: number, to: number) => {
      await pipeline.flush()
      const market = history.marketIdOf(ticker)?.market ?? -1
      const span = { from: from as Millis, to: to as Millis, asOf: clock.now() }
      return history.coverage({ market, feed: 'trades', ...span })
    }

    it('reads the tape once more of a market that it follows no more', async () => {
      const connector = new FakeVenue('venue_b', storyOf('venue_b'), 'stream')
      await collect(connector, { ...followed, catalogueEvery: 3 * MINUTE }).barsRead
      await pass(2 * MINUTE)
      await eventually(async () =>
        expect((await progress.progressOf('venue_b')).tradesUntil).toBe(NOW + 2 * MINUTE),
      )
      // After a reading of the tape, and before the catalogue that tells who is busiest.
      connector.story = overtaken(NOW + 2 * MINUTE + SECOND)
      await eventually(async () => {
        await pass(MINUTE)
        expect(connector.followed).toEqual(['QUIET'])
      }, 50)
      await eventually(async () => {
        await pass(MINUTE)
        expect(await storedTrades('BUSY')).toEqual(['busy', 'last'])
      }, 50)
      connector.asked.length = 0
      await pass(2 * MINUTE)
      await eventually(() =>
        expect(connector.askedFor('trades').map(({ tickers }) => tickers)).toContainEqual([
          'QUIET',
        ]),
      )
    })

    it('reads after a restart what it followed before, and calls nothing repaired before', async () => {
      const first = new FakeVenue('venue_b', storyOf('venue_b'), 'stream')
      await collect(first, followed).barsRead
      await pass(2 * MINUTE)
      await eventually(() => expect(first.askedFor('trades').length).toBeGreaterThan(1))
      await pass(MINUTE)
      const { tradesUntil } = await progress.progressOf('venue_b')
      expect(tradesUntil).toBe(NOW + 2 * MINUTE)
      await end()
      const stoppedAt = clock.now()
      expect(stoppedAt).toBe(NOW + 3 * MINUTE)

      const between = NOW + 2 * MINUTE + SECOND
      const span = [NOW + 2 * MINUTE, stoppedAt] as const
      begin()
      await clock.advance(10 * MINUTE)
      const second = new FakeVenue('venue_b', overtaken(between), 'stream')
      second.failing.add('trades')
      collect(second, followed)
      await eventually(() => expect(second.askedFor('trades')).not.toEqual([]))
      expect(await coverageOf('BUSY', ...span)).toMatchObject([{ state: 'gap' }])
      await end()

      begin()
      await clock.advance(20 * MINUTE)
      await collect(new FakeVenue('venue_b', overtaken(between), 'stream'), followed).barsRead
      expect(await storedTrades('BUSY')).toEqual(['busy', 'last'])
      expect(await coverageOf('BUSY', ...span)).toMatchObject([{ state: 'repaired' }])
      // Of a market that is followed no more nothing is known after its gap.
      expect(await coverageOf('BUSY', clock.now() - 1, clock.now())).toMatchObject([
        { state: 'repaired' },
      ])
      await pass(MINUTE)
      expect(await coverageOf('BUSY', clock.now() - SECOND, clock.now())).toEqual([])
    })
  })

  it('asks for trades by the time of the venue where a clock is plainly wrong', async () => {
    await readBefore('venue_a')
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    venue.clockOffset = HOUR
    await collect(venue).backfilled
    const hours = venue.askedFor('trades').map(({ from, to }) => [from, to])
    expect(hours).toEqual([
      [NOW + HOUR - 10 * SECOND, NOW + HOUR],
      [NOW - 10 * SECOND, NOW + HOUR - 10 * SECOND],
    ])
  })

  it('asks a failing venue ever less often, and the other one as if nothing were', async () => {
    const failing = new FakeVenue('venue_a', storyOf('venue_a'))
    failing.failing.add('openMarkets')
    const failed = collect(failing)
    await collect(new FakeVenue('venue_b', storyOf('venue_b'))).backfilled
    const tries = () => failing.askedFor('openMarkets').length
    expect(tries()).toBe(1)
    const seen: number[] = []
    for (const seconds of [1, 1, 1, 3, 1]) {
      await pass(seconds * SECOND)
      seen.push(tries())
    }
    expect(seen).toEqual([2, 2, 3, 3, 4])
    failing.failing.clear()
    await pass(8 * SECOND)
    await failed.described
    expect(pipeline.idOf('BUSY')).not.toBeNull()
  })

  describe('with a stream', () => {
    const streaming = async (venue: Venue = 'venue_a') => {
      const connector = new FakeVenue(venue, storyOf(venue), 'stream')
      await collect(connector).barsRead
      const { handlers } = connector
      if (handlers === null) throw new Error('no stream was opened')
      connector.asked.length = 0
      return { connector, handlers }
    }

    it('follows the most active markets', async () => {
      const connector = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
      await collect(connector, { followed: 1 }).described
      await eventually(() => expect(connector.followed).toEqual(['BUSY']))
    })

    it('takes what the stream tells', async () => {
      const { handlers } = await streaming()
      handlers.onEvents([traded(NOW, { ticker: 'BUSY', tradeId: 'live' })])
      expect(await storedTrades('BUSY')).toEqual(['busy', 'live'])
    })

    it('asks for trades and books of the markets that it lost', async () => {
      const { connector, handlers } = await streaming()
      handlers.onGap({ since: (NOW - MINUTE) as Millis, tickers: ['BUSY'], reason: 'sequence' })
      await eventually(() => expect(connector.askedFor('books')).toHaveLength(1))
      expect(connector.asked).toMatchObject([
        { what: 'trades', from: NOW - MINUTE - 10 * SECOND, to: NOW, origin: 'polled' },
        { what: 'books', tickers: ['BUSY'] },
      ])
    })

    it('asks for all trades from the loss of the stream to its return', async () => {
      const { connector, handlers } = await streaming()
      handlers.onRecovered(NOW, null)
      handlers.onGap({ since: (NOW - SECOND) as Millis, tickers: null, reason: 'closed' })
      connector.asked.length = 0
      await pass(9 * SECOND)
      connector.story = {
        trades: [traded(NOW + 5 * SECOND, { ticker: 'QUIET', tradeId: 'unheard' })],
      }
      handlers.onRecovered(clock.now(), null)
      await eventually(async () =>
        expect(await storedTrades('QUIET')).toEqual(['quiet', 'unheard']),
      )
      expect(connector.asked).toMatchObject([
        { what: 'trades', tickers: null, from: NOW - 11 * SECOND, to: NOW + 9 * SECOND },
      ])
    })

    it('asks again for what a new connection may have lost before its first message', async () => {
      const { connector, handlers } = await streaming()
      handlers.onRecovered(NOW, null)
      await eventually(() => expect(connector.askedFor('trades')).toHaveLength(1))
      connector.story = {
        trades: [traded(NOW + SECOND, { ticker: 'QUIET', tradeId: 'first of all' })],
      }
      await pass(2 * SECOND)
      handlers.onEvents([traded(clock.now(), { ticker: 'BUSY', tradeId: 'the first one heard' })])
      await eventually(async () => {
        await clock.advance(SECOND)
        expect(await storedTrades('QUIET')).toEqual(['quiet', 'first of all'])
      }, 50)
      await eventually(async () => {
        await pipeline.flush()
        const span = { from: NOW, to: (NOW + MINUTE) as Millis, asOf: clock.now(), limit: 10 }
        const stated = await history.gaps({ venue: 'venue_a', ...span })
        expect(stated.filter(({ from }) => from === NOW)).toMatchObject(
          ['repaired', 'gap'].map((state) => ({ feed: 'trades', state, to: NOW + SECOND + 1 })),
        )
      })
    })

    it('marks nothing of a new connection that told its first trades', async () => {
      const { connector, handlers } = await streaming()
      handlers.onRecovered(NOW, null)
      await pass(2 * SECOND)
      const first = traded(NOW + SECOND, { ticker: 'QUIET', tradeId: 'first of all' })
      handlers.onEvents([first])
      connector.story = { trades: [first] }
      await eventually(async () => {
        await clock.advance(SECOND)
        expect(connector.askedFor('trades').length).toBeGreaterThan(1)
      }, 50)
      await pipeline.flush()
      const span = { from: NOW, to: (NOW + MINUTE) as Millis, asOf: clock.now(), limit: 10 }
      const stated = await history.gaps({ venue: 'venue_a', ...span })
      expect(stated.filter(({ from }) => from >= NOW)).toEqual([])
    })

    it('asks for the trades from before it first delivered', async () => {
      const { connector, handlers } = await streaming()
      await pass(9 * SECOND)
      handlers.onRecovered(clock.now(), null)
      await eventually(() =>
        expect(connector.asked).toMatchObject([
          { what: 'trades', tickers: null, from: NOW - 10 * SECOND, to: NOW + 9 * SECOND },
        ]),
      )
    })

    it('counts trades as complete only while none are missing', async () => {
      const { connector, handlers } = await streaming()
      const until = async () => (await progress.progressOf('venue_a')).tradesUntil
      const catalogues = async (count: number): Promise<void> => {
        await eventually(async () => {
          await clock.advance(10 * MINUTE)
          expect(connector.askedFor('openMarkets').length).toBeGreaterThanOrEqual(count)
        }, 50)
      }
      await catalogues(2)
      expect(await until()).toBe(NOW)
      handlers.onRecovered(clock.now(), null)
      await eventually(async () => {
        await clock.advance(10 * MINUTE)
        expect(await until()).toBeGreaterThan(NOW)
      }, 50)
    })

    it('reads the tape where the stream tells of one outcome only', async () => {
      const { connector } = await streaming('venue_b')
      connector.story = {
        trades: [traded(NOW + MINUTE, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'other' })],
      }
      await pass(2 * MINUTE)
      await eventually(async () => expect(await storedTrades('BUSY')).toEqual(['busy', 'other']))
      expect(connector.askedFor('trades')).toMatchObject([
        { tickers: ['BUSY', 'QUIET'], from: NOW - 5 * MINUTE, to: NOW + 2 * MINUTE },
      ])
    })

    it('trap 22: finds a trade that the index lists minutes after its print', async () => {
      const { connector } = await streaming('venue_b')
      await pass(2 * MINUTE)
      await eventually(async () =>
        expect((await progress.progressOf('venue_b')).tradesUntil).toBe(NOW + 2 * MINUTE),
      )
      const late = traded(NOW - 2 * MINUTE, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'late' })
      connector.story = { trades: [late] }
      await pass(2 * MINUTE)
      await eventually(async () => expect(await storedTrades('BUSY')).toEqual(['busy', 'late']))
    })

    it('reads the tape once more of a market that has ended', async () => {
      const { connector } = await streaming('venue_b')
      const over = { venue: 'venue_b', ticker: 'BUSY', status: 'settled', result: 'no' } as const
      connector.story = {
        ended: [described(NOW + SECOND, over)],
        trades: [traded(NOW + 500, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'last' })],
      }
      // Long enough for the ended markets (every 5 minutes) to be noticed, then for a tape.
      await eventually(async () => {
        await clock.advance(MINUTE)
        expect(connector.askedFor('trades').map(({ tickers }) => tickers)).toContainEqual(['QUIET'])
      }, 50)
      expect(await storedTrades('BUSY')).toEqual(['busy', 'last'])
    })

    it('polls while the stream does not deliver', async () => {
      const { connector } = await streaming()
      await pass(15 * SECOND)
      expect(connector.askedFor('markets')).toEqual([])
      connector.mode = 'polling'
      await pass(15 * SECOND)
      await eventually(() => expect(connector.askedFor('books')).toHaveLength(1))
      expect(connector.asked.map(({ what }) => what)).toEqual(['trades', 'markets', 'books'])
    })
  })

  it('trap 15: takes the book of a market for no quote while its exchange is paused', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
    const collector = collect(venue)
    await collector.backfilled
    venue.handlers?.onRecovered(clock.now(), null)
    const stale = () => ['BUSY', 'QUIET'].filter((ticker) => collector.isStale(ticker))
    expect(stale()).toEqual([])
    venue.pause = { tickers: ['BUSY'] }
    await pass(LIVE_SETTINGS.exchangeEvery)
    expect(stale()).toEqual(['BUSY'])
    venue.pause = { tickers: null }
    await pass(LIVE_SETTINGS.exchangeEvery)
    expect(stale()).toEqual(['BUSY', 'QUIET'])
    // A venue that does not say leaves what it said last.
    venue.failing.add('exchangePause')
    await pass(LIVE_SETTINGS.exchangeEvery)
    expect(stale()).toEqual(['BUSY', 'QUIET'])
    venue.failing.clear()
    venue.pause = null
    await pass(2 * LIVE_SETTINGS.exchangeEvery)
    expect(stale()).toEqual([])
  })

  it('trap 26: asks how a market ended that nobody told of', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    const open = { ticker: 'BUSY', closeTime: (NOW + MINUTE) as Millis }
    venue.story = { open: [described(NOW, open)] }
    await collect(venue).barsRead
    await pipeline.flush()
    venue.story = { open: [described(NOW, { ...open, status: 'settled', result: 'no' })] }
    const market = history.marketIdOf('BUSY')?.market ?? -1
    await eventually(async () => {
      await pass(30 * SECOND)
      await pipeline.flush()
      const [record] = await history.recordsAt(clock.now(), [market])
      expect(record?.facts).toMatchObject({ status: 'settled', result: 'no' })
    }, 50)
  })

  it('trap 4: closes a market that its venue has taken away, and keeps its history', async () => {
    await readBefore('venue_a')
    await collect(new FakeVenue('venue_a', storyOf('venue_a'))).barsRead
    await end()
    const kept = await storedTrades('BUSY')
    begin()
    const second = new FakeVenue('venue_a', {})
    await collect(second).barsRead
    const market = history.marketIdOf('BUSY')?.market ?? -1
    await eventually(async () => {
      for (let minute = 0; minute < 5; minute += 1) await pass(MINUTE)
      await pipeline.flush()
      const [record] = await history.recordsAt(clock.now(), [market])
      expect(record?.facts).toMatchObject({ status: 'closed', result: null })
    }, 50)
    expect(await storedTrades('BUSY')).toEqual(kept)
    second.story = storyOf('venue_a')
    await eventually(async () => {
      await pass(5 * MINUTE)
      await pipeline.flush()
      const [record] = await history.recordsAt(clock.now(), [market])
      expect(record?.facts.status).toBe('active')
    }, 50)
  })

  it('asks again for the trades that it gave up while the disk was full, and marks the hole', async () => {
    const deps = { history, bus: createBus<IngestTopics>(() => undefined), clock }
    pipeline = new IngestPipeline({ ...deps, log: silentLogger, mostWaiting: 100 })
    await readBefore('venue_a')
    const connector = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
    await collect(connector).barsRead
    connector.handlers?.onRecovered(clock.now(), null)
    await eventually(async () => {
      await pass(SECOND)
      expect((await history.openCoverage('venue_a')).map(({ state }) => state)).toContain('live')
    }, 50)
    const append = history.append.bind(history)
    history.append = () => Promise.reject(new Error('no space left'))
    const from = clock.now()
    const lost = Array.from({ length: 50 }, (_, n) =>
      traded(from + n, { ticker: 'BUSY', tradeId: `lost ${n}` }),
    )
    connector.handlers?.onEvents([described(from, { ticker: 'FIRST' })])
    await eventually(async () => {
      await pass(SECOND)
      expect(pipeline.stats().failure).toBe('no space left')
    }, 50)
    const listed = Array.from({ length: 101 }, (_, n) => described(from, { ticker: `NEW-${n}` }))
    connector.handlers?.onEvents(listed)
    await eventually(() => expect(pipeline.stats().waiting).toBe(101))
    const before = pipeline.stats().accepted
    connector.handlers?.onEvents(lost)
    await eventually(() => expect(pipeline.stats().accepted).toBe(before + 50))
    expect(pipeline.stats().waiting).toBe(101)
    await pass(MINUTE)
    expect((await progress.progressOf('venue_a')).aliveUntil ?? 0).toBeLessThanOrEqual(from)
    connector.story = { ...connector.story, trades: lost }
    history.append = append
    await eventually(async () => {
      await pass(5 * SECOND)
      expect((await storedTrades('BUSY')).filter((id) => id.startsWith('lost'))).toHaveLength(50)
    }, 50)
    const market = history.marketIdOf('BUSY')?.market ?? -1
    const asked = { market, feed: 'trades', from, to: (from + 50) as Millis } as const
    await eventually(async () => {
      await pass(SECOND)
      await pipeline.flush()
      const spans = await history.coverage({ ...asked, asOf: clock.now() })
      expect(spans).toMatchObject([{ state: 'repaired', ...{ from, to: from + 50 } }])
    }, 50)
  })

  it('polls trades, markets and books where there is no stream', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    await collect(venue).barsRead
    venue.asked.length = 0
    await pass(15 * SECOND)
    await eventually(() => expect(venue.askedFor('books')).toHaveLength(1))
    expect(venue.asked).toMatchObject([
      { what: 'trades', from: NOW - 2 * MINUTE, to: NOW + 15 * SECOND, origin: 'polled' },
      { what: 'markets', tickers: ['BUSY', 'QUIET'] },
      { what: 'books', tickers: ['BUSY', 'QUIET'] },
    ])
  })

  it.each(['openMarkets', 'endedMarkets', 'trades', 'candles'] as const)(
    'stops at the signal while %s hangs',
    async (what) => {
      const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
      venue.hanging.add(what)
      const collector = collect(venue)
      await eventually(() => expect(venue.askedFor(what)).not.toEqual([]))
      stop.abort()
      await Promise.all([...runs, collector.described, collector.backfilled, collector.barsRead])
      expect(venue.isClosed).toBe(what !== 'openMarkets')
    },
  )
})
