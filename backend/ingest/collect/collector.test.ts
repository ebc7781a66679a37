import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { createBus } from '../../lib/bus.ts'
import { silentLogger } from '../../lib/logger.ts'
import { Collecting, NOW, storyOf } from '../../testing/collecting.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { described, traded } from '../../testing/venue-events.ts'
import { LIVE_SETTINGS } from './collector-settings.ts'
import { IngestPipeline, type IngestTopics } from '../pipeline.ts'

describe('the collector of a venue', () => {
  let run: Collecting
  beforeEach(async () => {
    run = await Collecting.open()
  })
  afterEach(() => run.close())

  describe('at a first start', () => {
    it('reads the catalogue, ended markets, trades and bars as far back as configured', async () => {
      const venue = new FakeVenue('venue_a', storyOf('venue_a'))
      const collector = run.collect(venue)
      await collector.barsRead
      expect(venue.requested[0]).toEqual({ what: 'openMarkets' })
      expect(venue.requestedFor('endedMarkets')).toEqual([
        { what: 'endedMarkets', from: NOW - DAY - HOUR },
      ])
      expect(venue.requestedFor('candles')).toEqual([
        { what: 'candles', tickers: ['BUSY', 'QUIET'], from: NOW - 7 * DAY, to: NOW },
      ])
      expect(await run.storedTrades('BUSY')).toEqual(['busy'])
      expect(await run.storedTrades('OVER')).toEqual(['over'])
      expect(await run.storedTrades('QUIET')).toEqual(['quiet'])
      expect((await run.history.size()).candles).toBe(1)
      expect(await run.progress.progressOf('venue_a')).toEqual({
        backfilledAt: NOW,
        tradesUntil: NOW,
        endedUntil: NOW,
        aliveUntil: null,
      })
    })

    it('names the markets, ended ones too, if the venue serves trades by market', async () => {
      const venue = new FakeVenue('venue_b', storyOf('venue_b'))
      await run.collect(venue).backfilled
      expect(venue.requestedFor('trades')).toMatchObject([
        {
          tickers: ['OVER', 'BUSY', 'QUIET'],
          from: NOW - DAY - HOUR,
          to: NOW,
          origin: 'backfilled',
        },
      ])
    })

    it('that was interrupted is completed by the next one', async () => {
      const first = new FakeVenue('venue_b', storyOf('venue_b'))
      first.failing.add('trades')
      run.collect(first)
      await eventually(() => expect(first.requestedFor('trades')).not.toEqual([]))
      await run.end()
      run.begin()
      const second = new FakeVenue('venue_b', storyOf('venue_b'))
      second.hanging.add('candles')
      await run.collect(second).backfilled
      expect(await run.storedTrades('OVER')).toEqual(['over'])
      await eventually(() => expect(second.requestedFor('candles')).toHaveLength(1))
      await run.end()
      run.begin()
      const third = new FakeVenue('venue_b', storyOf('venue_b'))
      await run.collect(third).barsRead
      expect(third.requestedFor('candles')).toHaveLength(1)
      expect(third.requestedFor('trades')).toMatchObject([{ from: NOW - 10 * SECOND }])
    })
  })

  it('polls a failing venue with increasing delays, and the other one as usual', async () => {
    const failing = new FakeVenue('venue_a', storyOf('venue_a'))
    failing.failing.add('openMarkets')
    const failed = run.collect(failing)
    await run.collect(new FakeVenue('venue_b', storyOf('venue_b'))).backfilled
    await run.settled()
    const tries = () => failing.requestedFor('openMarkets').length
    expect(tries()).toBe(1)
    const seen: number[] = []
    for (const seconds of [1, 1, 1, 3, 1]) {
      await run.pass(seconds * SECOND)
      seen.push(tries())
    }
    expect(seen).toEqual([2, 2, 3, 3, 4])
    failing.failing.clear()
    await run.pass(8 * SECOND)
    await failed.described
    expect(run.pipeline.idOf('BUSY')).not.toBeNull()
  })

  it('trap 15: ignores the book of a market while its exchange is paused', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
    const collector = run.collect(venue)
    await collector.backfilled
    venue.handlers?.onRecovered(run.clock.now(), null)
    const stale = () => ['BUSY', 'QUIET'].filter((ticker) => collector.isStale(ticker))
    expect(stale()).toEqual([])
    venue.pause = { tickers: ['BUSY'] }
    await run.pass(LIVE_SETTINGS.exchangeInterval)
    expect(stale()).toEqual(['BUSY'])
    venue.pause = { tickers: null }
    await run.pass(LIVE_SETTINGS.exchangeInterval)
    expect(stale()).toEqual(['BUSY', 'QUIET'])
    // A venue without a statement keeps its last one.
    venue.failing.add('exchangePause')
    await run.pass(LIVE_SETTINGS.exchangeInterval)
    expect(stale()).toEqual(['BUSY', 'QUIET'])
    venue.failing.clear()
    venue.pause = null
    await run.pass(2 * LIVE_SETTINGS.exchangeInterval)
    expect(stale()).toEqual([])
  })

  it('trap 26: requests how a market ended if no event reported it', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    const open = { ticker: 'BUSY', closeTime: (NOW + MINUTE) as Millis }
    venue.story = { open: [described(NOW, open)] }
    await run.collect(venue).barsRead
    await run.pipeline.flush()
    venue.story = { open: [described(NOW, { ...open, status: 'settled', result: 'no' })] }
    const market = run.history.marketIdOf('BUSY')?.market ?? -1
    await eventually(async () => {
      await run.pass(30 * SECOND)
      await run.pipeline.flush()
      const [record] = await run.history.recordsAt(run.clock.now(), [market])
      expect(record?.facts).toMatchObject({ status: 'settled', result: 'no' })
    }, 50)
  })

  it('trap 4: closes a market that its venue removed, and keeps its history', async () => {
    await run.readBefore('venue_a')
    await run.collect(new FakeVenue('venue_a', storyOf('venue_a'))).barsRead
    await run.end()
    const stored = await run.storedTrades('BUSY')
    run.begin()
    const second = new FakeVenue('venue_a', {})
    await run.collect(second).barsRead
    const market = run.history.marketIdOf('BUSY')?.market ?? -1
    await eventually(async () => {
      for (let minute = 0; minute < 5; minute += 1) await run.pass(MINUTE)
      await run.pipeline.flush()
      const [record] = await run.history.recordsAt(run.clock.now(), [market])
      expect(record?.facts).toMatchObject({ status: 'closed', result: null })
    }, 50)
    expect(await run.storedTrades('BUSY')).toEqual(stored)
    second.story = storyOf('venue_a')
    await eventually(async () => {
      await run.pass(5 * MINUTE)
      await run.pipeline.flush()
      const [record] = await run.history.recordsAt(run.clock.now(), [market])
      expect(record?.facts.status).toBe('active')
    }, 50)
  })

  it('requests trades again that it dropped while the disk was full, and marks the gap', async () => {
    const bus = createBus<IngestTopics>(() => undefined)
    run.pipeline = new IngestPipeline({
      history: run.history,
      bus,
      clock: run.clock,
      log: silentLogger,
      maxWaiting: 100,
    })
    await run.readBefore('venue_a')
    const connector = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
    await run.collect(connector).barsRead
    connector.handlers?.onRecovered(run.clock.now(), null)
    await eventually(async () => {
      await run.pass(SECOND)
      expect((await run.history.openCoverage('venue_a')).map(({ state }) => state)).toContain(
        'live',
      )
    }, 50)
    const append = run.history.append.bind(run.history)
    run.history.append = () => Promise.reject(new Error('no space left'))
    const from = run.clock.now()
    const lost = Array.from({ length: 50 }, (_, n) =>
      traded(from + n, { ticker: 'BUSY', tradeId: `lost ${n}` }),
    )
    connector.handlers?.onEvents([described(from, { ticker: 'FIRST' })])
    await eventually(async () => {
      await run.pass(SECOND)
      expect(run.pipeline.stats().failure).toBe('no space left')
    }, 50)
    const listed = Array.from({ length: 101 }, (_, n) => described(from, { ticker: `NEW-${n}` }))
    connector.handlers?.onEvents(listed)
    await eventually(() => expect(run.pipeline.stats().waiting).toBe(101))
    const before = run.pipeline.stats().accepted
    connector.handlers?.onEvents(lost)
    await eventually(() => expect(run.pipeline.stats().accepted).toBe(before + 50))
    expect(run.pipeline.stats().waiting).toBe(101)
    await run.pass(MINUTE)
    expect((await run.progress.progressOf('venue_a')).aliveUntil ?? 0).toBeLessThanOrEqual(from)
    connector.story = { ...connector.story, trades: lost }
    run.history.append = append
    await eventually(async () => {
      await run.pass(5 * SECOND)
      expect((await run.storedTrades('BUSY')).filter((id) => id.startsWith('lost'))).toHaveLength(
        50,
      )
    }, 50)
    const market = run.history.marketIdOf('BUSY')?.market ?? -1
    const requested = { market, feed: 'trades', from, to: (from + 50) as Millis } as const
    await eventually(async () => {
      await run.pass(SECOND)
      await run.pipeline.flush()
      const spans = await run.history.coverage({ ...requested, asOf: run.clock.now() })
      expect(spans).toMatchObject([{ state: 'repaired', from, to: from + 50 }])
    }, 50)
  })

  it('polls trades, markets and books where there is no stream', async () => {
    const venue = new FakeVenue('venue_a', storyOf('venue_a'))
    await run.collect(venue).barsRead
    venue.requested.length = 0
    await run.pass(15 * SECOND)
    await eventually(() => expect(venue.requestedFor('books')).toHaveLength(1))
    expect(venue.requested).toMatchObject([
      { what: 'trades', from: NOW - 2 * MINUTE, to: NOW + 15 * SECOND, origin: 'polled' },
      { what: 'markets', tickers: ['BUSY', 'QUIET'] },
      { what: 'books', tickers: ['BUSY', 'QUIET'] },
    ])
  })

  it('polls while the stream does not deliver', async () => {
    const { connector } = await run.collectStream()
    await run.pass(15 * SECOND)
    expect(connector.requestedFor('markets')).toEqual([])
    connector.mode = 'polling'
    await run.pass(15 * SECOND)
    await eventually(() => expect(connector.requestedFor('books')).toHaveLength(1))
    expect(connector.requested.map(({ what }) => what)).toEqual(['trades', 'markets', 'books'])
  })

  it.each(['openMarkets', 'endedMarkets', 'trades', 'candles'] as const)(
    'stops at the signal while %s hangs',
    async (what) => {
      const venue = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
      venue.hanging.add(what)
      const collector = run.collect(venue)
      await eventually(() => expect(venue.requestedFor(what)).not.toEqual([]))
      run.stop.abort()
      await Promise.all([
        ...run.runs,
        collector.described,
        collector.backfilled,
        collector.barsRead,
      ])
      expect(venue.isClosed).toBe(what !== 'openMarkets')
    },
  )
})
