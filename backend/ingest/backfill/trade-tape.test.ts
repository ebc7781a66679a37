import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, type Millis, type SizeE6 } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import type { FeedProgress } from '../../state/feeds.store.ts'
import { Collecting, NOW, storyOf } from '../../testing/collecting.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { FakeVenue, type VenueStory } from '../../testing/fake-venue.ts'
import { activityAt, described, traded } from '../../testing/venue-events.ts'
import type { Span } from './backfill.ts'
import { TradeTape } from './trade-tape.ts'

describe('the trade history of a venue', () => {
  let run: Collecting
  beforeEach(async () => {
    run = await Collecting.open()
  })
  afterEach(() => run.close())

  describe('at a later start', () => {
    it('continues where it stopped, with an overlap, and reads no bars', async () => {
      await run.readBefore('venue_a')
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      await run.collect(venue).barsRead
      expect(venue.requestedFor('endedMarkets')).toMatchObject([{ from: NOW - 2 * HOUR }])
      expect(venue.requestedFor('trades')).toMatchObject([
        { tickers: null, to: NOW, origin: 'polled' },
        { tickers: null, from: NOW - HOUR - 10 * SECOND, origin: 'polled' },
      ])
      expect(venue.requestedFor('candles')).toEqual([])
      expect(await run.storedTrades('QUIET')).toEqual(['quiet'])
      expect((await run.progress.progressOf('venue_a')).tradesUntil).toBe(NOW)
    })

    it('starts from the newest stored trade if the saved position is from a clock ahead', async () => {
      await run.collect(new FakeVenue('venue_a', storyOf('venue_a'))).barsRead
      await run.end()
      const tomorrow = (NOW + DAY) as Millis
      await run.progress.save('venue_a', {
        tradesUntil: tomorrow,
        aliveUntil: tomorrow,
        endedUntil: tomorrow,
      })
      run.begin()
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      await run.collect(venue).backfilled
      expect(venue.requestedFor('trades').at(-1)).toMatchObject({ from: NOW - HOUR - 10 * SECOND })
      expect(venue.requestedFor('endedMarkets')).toMatchObject([{ from: NOW - 2 * HOUR }])
      await run.pipeline.flush()
      const market = run.history.marketIdOf('QUIET')?.market ?? -1
      const requested = { market, from: (NOW - 2 * HOUR) as Millis, to: NOW, asOf: run.clock.now() }
      expect((await run.history.coverage({ ...requested, feed: 'trades' })).at(-1)).toMatchObject({
        state: 'gap',
        from: NOW - HOUR,
        to: NOW,
      })
    })

    it('keeps its position while missed trades cannot be read', async () => {
      await run.readBefore('venue_a')
      const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
      venue.failing.add('trades')
      const collector = run.collect(venue, { catalogueInterval: 500 as Millis })
      await collector.described
      venue.handlers?.onRecovered(NOW, null)
      await eventually(async () => {
        await run.clock.advance(500)
        expect(venue.requestedFor('openMarkets').length).toBeGreaterThan(3)
      }, 50)
      expect((await run.progress.progressOf('venue_a')).tradesUntil).toBe(NOW - HOUR)
      venue.failing.clear()
      await eventually(async () => {
        await run.clock.advance(SECOND)
        expect(await run.storedTrades('QUIET')).toEqual(['quiet'])
      }, 50)
    })
  })

  describe('of a venue that streams trades by market', () => {
    /** QUIET has overtaken BUSY, and BUSY traded again. */
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
      await run.pipeline.flush()
      const market = run.history.marketIdOf(ticker)?.market ?? -1
      const span = { from: from as Millis, to: to as Millis, asOf: run.clock.now() }
      return run.history.coverage({ market, feed: 'trades', ...span })
    }

    it('reads the trades of a market a last time after it is not followed', async () => {
      const connector = new FakeVenue('venue_b', storyOf('venue_b'), 'stream')
      await run.collect(connector, { ...followed, catalogueInterval: (3 * MINUTE) as Millis })
        .barsRead
      await run.pass(2 * MINUTE)
      await eventually(async () =>
        expect((await run.progress.progressOf('venue_b')).tradesUntil).toBe(NOW + 2 * MINUTE),
      )
      // After a read of trades, and before the catalogue with the activity of markets.
      connector.story = overtaken(NOW + 2 * MINUTE + SECOND)
      await eventually(async () => {
        await run.pass(MINUTE)
        expect(connector.followed).toEqual(['QUIET'])
      }, 50)
      await eventually(async () => {
        await run.pass(MINUTE)
        expect(await run.storedTrades('BUSY')).toEqual(['busy', 'last'])
      }, 50)
      connector.requested.length = 0
      await run.pass(2 * MINUTE)
      await eventually(() =>
        expect(connector.requestedFor('trades').map(({ tickers }) => tickers)).toContainEqual([
          'QUIET',
        ]),
      )
    })

    it('reads after a restart what it followed before, and repairs nothing earlier', async () => {
      const first = new FakeVenue('venue_b', storyOf('venue_b'), 'stream')
      await run.collect(first, followed).barsRead
      await run.pass(2 * MINUTE)
      await eventually(() => expect(first.requestedFor('trades').length).toBeGreaterThan(1))
      await run.pass(MINUTE)
      const { tradesUntil } = await run.progress.progressOf('venue_b')
      expect(tradesUntil).toBe(NOW + 2 * MINUTE)
      await run.end()
      const stoppedAt = run.clock.now()
      expect(stoppedAt).toBe(NOW + 3 * MINUTE)

      const between = NOW + 2 * MINUTE + SECOND
      const span = [NOW + 2 * MINUTE, stoppedAt] as const
      run.begin()
      await run.clock.advance(10 * MINUTE)
      const second = new FakeVenue('venue_b', overtaken(between), 'stream')
      second.failing.add('trades')
      run.collect(second, followed)
      await eventually(() => expect(second.requestedFor('trades')).not.toEqual([]))
      expect(await coverageOf('BUSY', ...span)).toMatchObject([{ state: 'gap' }])
      await run.end()

      run.begin()
      await run.clock.advance(20 * MINUTE)
      await run.collect(new FakeVenue('venue_b', overtaken(between), 'stream'), followed).barsRead
      expect(await run.storedTrades('BUSY')).toEqual(['busy', 'last'])
      expect(await coverageOf('BUSY', ...span)).toMatchObject([{ state: 'repaired' }])
      // A market that is not followed any more has no coverage after its gap.
      expect(await coverageOf('BUSY', run.clock.now() - 1, run.clock.now())).toMatchObject([
        { state: 'repaired' },
      ])
      await run.pass(MINUTE)
      expect(await coverageOf('BUSY', run.clock.now() - SECOND, run.clock.now())).toEqual([])
    })
  })

  it('requests trades by the time of the venue if a clock is clearly wrong', async () => {
    await run.readBefore('venue_a')
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    venue.clockOffset = HOUR
    await run.collect(venue).backfilled
    const hours = venue.requestedFor('trades').map(({ from, to }) => [from, to])
    expect(hours).toEqual([
      [NOW + HOUR - 10 * SECOND, NOW + HOUR],
      [NOW - 10 * SECOND, NOW + HOUR - 10 * SECOND],
    ])
  })

  it('reads trades by REST if the stream covers one outcome only', async () => {
    const { connector } = await run.collectStream('venue_b')
    connector.story = {
      trades: [traded(NOW + MINUTE, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'other' })],
    }
    await run.pass(2 * MINUTE)
    await eventually(async () => expect(await run.storedTrades('BUSY')).toEqual(['busy', 'other']))
    expect(connector.requestedFor('trades')).toMatchObject([
      { tickers: ['BUSY', 'QUIET'], from: NOW - 5 * MINUTE, to: NOW + 2 * MINUTE },
    ])
  })

  it('trap 22: finds a trade that the index lists minutes after its print', async () => {
    const { connector } = await run.collectStream('venue_b')
    await run.pass(2 * MINUTE)
    await eventually(async () =>
      expect((await run.progress.progressOf('venue_b')).tradesUntil).toBe(NOW + 2 * MINUTE),
    )
    const late = traded(NOW - 2 * MINUTE, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'late' })
    connector.story = { trades: [late] }
    await run.pass(2 * MINUTE)
    await eventually(async () => expect(await run.storedTrades('BUSY')).toEqual(['busy', 'late']))
  })

  it('reads the trades of a market a last time after it has ended', async () => {
    const { connector } = await run.collectStream('venue_b')
    const over = { venue: 'venue_b', ticker: 'BUSY', status: 'settled', result: 'no' } as const
    connector.story = {
      ended: [described(NOW + SECOND, over)],
      trades: [traded(NOW + 500, { venue: 'venue_b', ticker: 'BUSY', tradeId: 'last' })],
    }
    // Long enough for a read of ended markets (every 5 minutes), then for one of trades.
    await eventually(async () => {
      await run.clock.advance(MINUTE)
      expect(connector.requestedFor('trades').map(({ tickers }) => tickers)).toContainEqual([
        'QUIET',
      ])
    }, 50)
    expect(await run.storedTrades('BUSY')).toEqual(['busy', 'last'])
  })
})

describe('the reads of a trade history', () => {
  /** A history whose venue records its reads, with seconds from NOW. */
  const open = (
    options: Partial<
      Record<'streamsEveryTrade' | 'tradesWithoutNames' | 'isStreaming', boolean>
    > & {
      readonly saved?: Partial<FeedProgress>
    } = {},
  ) => {
    const clock = new FakeClock(NOW)
    const calls: unknown[][] = []
    let progress: FeedProgress = {
      backfilledAt: null,
      tradesUntil: null,
      endedUntil: null,
      aliveUntil: null,
      ...options.saved,
    }
    const secondsOf = (at: number): number => (at - NOW) / SECOND
    const spanOf = ({ from, to }: Span): string => `${secondsOf(from)}..${secondsOf(to)}`
    const tape = new TradeTape({
      connector: {
        venue: 'venue_a',
        streamsEveryTrade: options.streamsEveryTrade ?? true,
        tradesWithoutNames: options.tradesWithoutNames ?? false,
      },
      settings: { tradeBackfillSpan: HOUR, tapeInterval: (2 * MINUTE) as Millis },
      progress: {
        progressOf: () => Promise.resolve(progress),
        save: (_venue, change) => {
          progress = { ...progress, ...change }
          return Promise.resolve()
        },
      },
      history: { newestTradeAt: () => Promise.resolve(null) },
      trades: {
        read: async (tickers, span, origin) => {
          calls.push(['read', [...tickers], spanOf(span), origin])
          await clock.advance(SECOND)
        },
      },
      catalogue: {
        readEnded: (until) => {
          calls.push(['ended', until === null ? null : secondsOf(until)])
          return Promise.resolve(new Set(['OVER']))
        },
      },
      coverage: {
        recordDelivery: (feed, state, at) =>
          void calls.push(['delivers', feed, state, secondsOf(at)]),
        recordTradesRead: (span, tickers, isPast) =>
          void calls.push(['complete', spanOf(span), tickers, isPast]),
      },
      markets: {
        dueTickers: (ended) => ({ tickers: [...(ended ?? []), 'A'], left: ['A'] }),
        markRead: (left) => void calls.push(['read last', [...left]]),
      },
      stream: { isDelivering: () => options.isStreaming ?? true },
      clock,
      log: silentLogger,
    })
    const { signal } = new AbortController()
    const callsOf = async (does: () => Promise<unknown>): Promise<unknown[][]> => {
      calls.length = 0
      await does()
      return [...calls]
    }
    return { tape, clock, signal, callsOf, until: () => progress.tradesUntil }
  }

  it('begin with the past, up to the start of the service', async () => {
    const { tape, clock, signal, callsOf, until } = open()
    const startedSteady = clock.monotonic()
    expect([tape.isPastRead, tape.lastRead.at]).toEqual([false, NOW])
    expect(await callsOf(() => tape.read(signal))).toEqual([])
    await clock.advance(9 * SECOND)
    const startedAt = clock.now()
    expect(await callsOf(() => tape.readPast(startedAt, signal))).toEqual([
      ['ended', null],
      ['read', ['OVER', 'A'], '-3591..9', 'backfilled'],
      ['complete', '-3591..9', ['OVER', 'A'], true],
      ['read last', ['A']],
    ])
    expect(until()).toBe(startedAt)
    expect(tape.isPastRead).toBe(true)
    // The time of the read is that of its beginning.
    expect(tape.lastRead).toEqual({ at: startedAt, monotonic: startedSteady + 9 * SECOND })
  })

  it.each([
    [{ tradesUntil: -60 }, -60],
    [{ tradesUntil: -60, endedUntil: -90 }, -90],
    [{ tradesUntil: -60, endedUntil: -30 }, -60],
  ])('continue where they stopped: %j', async (saved, ended) => {
    const instants = Object.entries(saved).map(([name, seconds]) => [name, NOW + seconds * SECOND])
    const progress = Object.fromEntries(instants) as Partial<FeedProgress>
    const { tape, signal, callsOf } = open({ saved: progress, tradesWithoutNames: true })
    expect(await callsOf(() => tape.readPast(NOW, signal))).toEqual([
      ['ended', ended],
      ['read', ['OVER', 'A'], '-70..0', 'polled'],
      ['complete', '-70..0', null, false],
      ['read last', ['A']],
    ])
  })

  it.each([
    [true, true, '-120..10', []],
    [true, false, '-120..10', [['delivers', 'trades', 'polled', 10]]],
    [false, true, '-300..10', [['delivers', 'trades', 'polled', 10]]],
  ])(
    'of a venue that streams all: %s, and delivers now: %s',
    async (streamsEveryTrade, isStreaming, span, delivered) => {
      const { tape, clock, signal, callsOf, until } = open({ streamsEveryTrade, isStreaming })
      await tape.readPast(NOW, signal)
      await clock.advance(9 * SECOND)
      expect(await callsOf(() => tape.read(signal))).toEqual([
        ['read', ['A'], span, 'polled'],
        ...delivered,
        ['complete', span, null, false],
        ['read last', ['A']],
      ])
      expect(until()).toBe(NOW + 10 * SECOND)
      expect(tape.lastRead.at).toBe(NOW + 10 * SECOND)
    },
  )
})
