import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { silentLogger } from '../../lib/logger.ts'
import { Collecting, NOW, storyOf } from '../../testing/collecting.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { traded } from '../../testing/venue-events.ts'
import { LiveStream } from './live-stream.ts'

describe('the stream of a venue', () => {
  let run: Collecting
  beforeEach(async () => {
    run = await Collecting.open()
  })
  afterEach(() => run.close())

  it('follows the most active markets', async () => {
    const connector = new FakeVenue('venue_a', storyOf('venue_a'), 'stream')
    await run.collect(connector, { followed: 1 }).described
    await eventually(() => expect(connector.followed).toEqual(['BUSY']))
  })

  it('stores what the stream delivers', async () => {
    const { handlers } = await run.collectStream()
    handlers.onEvents([traded(NOW, { ticker: 'BUSY', tradeId: 'live' })])
    expect(await run.storedTrades('BUSY')).toEqual(['busy', 'live'])
  })

  it('requests trades and books of the markets that it lost', async () => {
    const { connector, handlers } = await run.collectStream()
    handlers.onGap({ since: (NOW - MINUTE) as Millis, tickers: ['BUSY'], reason: 'sequence' })
    await eventually(() => expect(connector.requestedFor('books')).toHaveLength(1))
    expect(connector.requested).toMatchObject([
      { what: 'trades', from: NOW - MINUTE - 10 * SECOND, to: NOW, origin: 'polled' },
      { what: 'books', tickers: ['BUSY'] },
    ])
    await run.pipeline.flush()
    const span = { from: (NOW - MINUTE) as Millis, to: NOW, asOf: run.clock.now(), limit: 10 }
    const gaps = await run.history.gaps({ venue: 'venue_a', ...span })
    const reason = 'sequence'
    expect(gaps).toMatchObject([{ market: 0, feed: 'quotes', from: NOW - MINUTE, reason }])
  })

  it('requests all trades from the loss of the stream to its return', async () => {
    const { connector, handlers } = await run.collectStream()
    handlers.onRecovered(NOW, null)
    handlers.onGap({ since: (NOW - SECOND) as Millis, tickers: null, reason: 'closed' })
    connector.requested.length = 0
    await run.pass(9 * SECOND)
    connector.story = {
      trades: [traded(NOW + 5 * SECOND, { ticker: 'QUIET', tradeId: 'undelivered' })],
    }
    handlers.onRecovered(run.clock.now(), null)
    await eventually(async () =>
      expect(await run.storedTrades('QUIET')).toEqual(['quiet', 'undelivered']),
    )
    expect(connector.requested).toMatchObject([
      { what: 'trades', tickers: null, from: NOW - 11 * SECOND, to: NOW + 9 * SECOND },
    ])
  })

  it('requests what a new connection may have lost before its first message', async () => {
    const { connector, handlers } = await run.collectStream()
    handlers.onRecovered(NOW, null)
    await eventually(() => expect(connector.requestedFor('trades')).toHaveLength(1))
    connector.story = {
      trades: [traded(NOW + SECOND, { ticker: 'QUIET', tradeId: 'first of all' })],
    }
    await run.pass(2 * SECOND)
    handlers.onEvents([
      traded(run.clock.now(), { ticker: 'BUSY', tradeId: 'the first one received' }),
    ])
    await eventually(async () => {
      await run.clock.advance(SECOND)
      expect(await run.storedTrades('QUIET')).toEqual(['quiet', 'first of all'])
    }, 50)
    await eventually(async () => {
      await run.pipeline.flush()
      const span = { from: NOW, to: (NOW + MINUTE) as Millis, asOf: run.clock.now(), limit: 10 }
      const gaps = await run.history.gaps({ venue: 'venue_a', ...span })
      expect(gaps.filter(({ from }) => from === NOW)).toMatchObject(
        ['repaired', 'gap'].map((state) => ({ feed: 'trades', state, to: NOW + SECOND + 1 })),
      )
    })
  })

  it('marks no gap for a new connection that delivered its first trades', async () => {
    const { connector, handlers } = await run.collectStream()
    handlers.onRecovered(NOW, null)
    await run.pass(2 * SECOND)
    const first = traded(NOW + SECOND, { ticker: 'QUIET', tradeId: 'first of all' })
    handlers.onEvents([first])
    connector.story = { trades: [first] }
    await eventually(async () => {
      await run.clock.advance(SECOND)
      expect(connector.requestedFor('trades').length).toBeGreaterThan(1)
    }, 50)
    await run.pipeline.flush()
    const span = { from: NOW, to: (NOW + MINUTE) as Millis, asOf: run.clock.now(), limit: 10 }
    const gaps = await run.history.gaps({ venue: 'venue_a', ...span })
    expect(gaps.filter(({ from }) => from >= NOW)).toEqual([])
  })

  it('requests the trades from before it first delivered', async () => {
    const { connector, handlers } = await run.collectStream()
    await run.pass(9 * SECOND)
    handlers.onRecovered(run.clock.now(), null)
    await eventually(() =>
      expect(connector.requested).toMatchObject([
        { what: 'trades', tickers: null, from: NOW - 10 * SECOND, to: NOW + 9 * SECOND },
      ]),
    )
  })

  it('counts trades as complete only while none are missing', async () => {
    const { connector, handlers } = await run.collectStream()
    const until = async () => (await run.progress.progressOf('venue_a')).tradesUntil
    const catalogues = async (count: number): Promise<void> => {
      await eventually(async () => {
        await run.clock.advance(10 * MINUTE)
        expect(connector.requestedFor('openMarkets').length).toBeGreaterThanOrEqual(count)
      }, 50)
    }
    await catalogues(2)
    expect(await until()).toBe(NOW)
    handlers.onRecovered(run.clock.now(), null)
    await eventually(async () => {
      await run.clock.advance(10 * MINUTE)
      expect(await until()).toBeGreaterThan(NOW)
    }, 50)
  })
})

describe('the reports of a stream', () => {
  const GAP = { since: NOW, reason: 'closed' }
  /** A stream with what it calls, as texts, seconds from NOW. */
  const open = (options: { streamsEveryTrade?: boolean; hasStream?: boolean } = {}) => {
    const venue = new FakeVenue('venue_a', {}, options.hasStream === false ? 'polling' : 'stream')
    const calls: unknown[][] = []
    const failure: { error: Error | null } = { error: null }
    const records: unknown[] = []
    const record =
      (name: string) =>
      (...args: unknown[]): void =>
        void calls.push([name, ...args.filter((arg) => !(arg instanceof AbortSignal))])
    const stream = new LiveStream({
      connector: {
        stream: (handlers) => venue.stream(handlers),
        health: () => venue.health(),
        streamsEveryTrade: options.streamsEveryTrade ?? true,
      },
      pipeline: {
        accept: (events) => {
          calls.push(['accept', events.length])
          return failure.error === null ? Promise.resolve() : Promise.reject(failure.error)
        },
      },
      catalogue: { addEvents: (events) => void calls.push(['addEvents', events.length]) },
      coverage: {
        recordLoss: record('loss'),
        recordLostMarkets: record('recordLostMarkets'),
        recordDelivery: record('recordDelivery'),
      },
      repair: {
        fill: record('fill'),
        receive: (events) => void calls.push(['receive', events.length]),
        onConnected: record('connected'),
        onDisconnected: record('disconnected'),
      },
      log: { ...silentLogger, error: (details: unknown) => void records.push(details) },
    })
    const { signal } = new AbortController()
    stream.open(NOW, ['A'], signal)
    const { handlers } = venue
    const callsOf = (does: () => void): unknown[][] => {
      calls.length = 0
      does()
      return [...calls]
    }
    return { stream, venue, handlers, callsOf, failure, records }
  }
  const running = (streamsEveryTrade = true) => {
    const opened = open({ streamsEveryTrade })
    if (opened.handlers === null) throw new Error('no stream was opened')
    return { ...opened, handlers: opened.handlers }
  }

  it('is not open where the venue has no stream', () => {
    const { stream, venue } = open({ hasStream: false })
    venue.mode = 'stream'
    expect([stream.isOpen, stream.isDelivering()]).toEqual([false, false])
    stream.follow(['A'])
  })

  it('follows the markets that it is opened with, and then others', () => {
    const { stream, venue } = running()
    expect(venue.followed).toEqual(['A'])
    stream.follow(['B'])
    expect(venue.followed).toEqual(['B'])
    expect([stream.isOpen, stream.isDelivering()]).toEqual([true, true])
    venue.mode = 'polling'
    expect([stream.isOpen, stream.isDelivering()]).toEqual([true, false])
  })

  it('is silent from the start until it delivers, if it reports every trade', () => {
    const { stream, handlers, callsOf } = running()
    expect(stream.isSilent).toBe(true)
    const recovered = callsOf(() => handlers.onRecovered((NOW + SECOND) as Millis, null))
    expect(recovered).toEqual([
      ['recordDelivery', 'quotes', 'live', NOW + SECOND, null],
      ['recordDelivery', 'trades', 'live', NOW + SECOND],
      ['fill', { from: NOW, to: null }, null],
      ['connected', NOW + SECOND],
    ])
    expect(stream.isSilent).toBe(false)
    // Another connection of the same stream starts nothing again.
    expect(callsOf(() => handlers.onRecovered((NOW + SECOND) as Millis, ['A']))).toEqual([
      ['recordDelivery', 'quotes', 'live', NOW + SECOND, ['A']],
    ])
    expect(callsOf(() => handlers.onRecovered((NOW + SECOND) as Millis, null))).toEqual([
      ['recordDelivery', 'quotes', 'live', NOW + SECOND, null],
      ['recordDelivery', 'trades', 'live', NOW + SECOND],
    ])
  })

  it('leaves trades to the tape if it reports those of one outcome', () => {
    const { stream, handlers, callsOf } = running(false)
    expect(stream.isSilent).toBe(false)
    expect(callsOf(() => handlers.onRecovered(NOW, null))).toEqual([
      ['recordDelivery', 'quotes', 'live', NOW, null],
    ])
    expect(callsOf(() => handlers.onGap({ ...GAP, tickers: null }))).toEqual([
      ['loss', 'quotes', NOW, 'closed'],
      ['disconnected', NOW],
    ])
    expect(callsOf(() => handlers.onRecovered(NOW, ['A']))).toEqual([
      ['recordDelivery', 'quotes', 'live', NOW, ['A']],
      ['fill', { from: NOW, to: null }, null],
    ])
  })

  it('requests at its return what is missing since the first of its losses', () => {
    const { stream, handlers, callsOf } = running()
    handlers.onRecovered(NOW, null)
    const since = (seconds: number) => (NOW + seconds * SECOND) as Millis
    expect(callsOf(() => handlers.onGap({ ...GAP, since: since(5), tickers: null }))).toEqual([
      ['loss', 'quotes', since(5), 'closed'],
      ['loss', 'trades', since(5), 'closed'],
      ['disconnected', since(5)],
    ])
    expect(stream.isSilent).toBe(true)
    handlers.onGap({ ...GAP, since: since(7), tickers: null })
    expect(callsOf(() => handlers.onRecovered(since(9), ['A']))).toEqual([
      ['recordDelivery', 'quotes', 'live', since(9), ['A']],
      ['recordDelivery', 'trades', 'live', since(9)],
      ['fill', { from: since(5), to: null }, null],
      ['connected', since(9)],
    ])
  })

  it('requests the lost markets alone, at once', () => {
    const { stream, handlers, callsOf } = running()
    handlers.onRecovered(NOW, null)
    expect(callsOf(() => handlers.onGap({ ...GAP, tickers: ['A'] }))).toEqual([
      ['recordLostMarkets', ['A'], NOW, 'closed'],
      ['fill', { from: NOW, to: null }, ['A']],
    ])
    expect(stream.isSilent).toBe(false)
  })

  it('passes events on, and reports a failure only if the writer does not', async () => {
    const { handlers, callsOf, failure, records } = running()
    const deliver = () => callsOf(() => handlers.onEvents([traded(NOW), traded(NOW)]))
    expect(deliver()).toEqual([
      ['receive', 2],
      ['addEvents', 2],
      ['accept', 2],
    ])
    failure.error = new StoreFailed('the history could not be written')
    deliver()
    failure.error = new Error('a fault')
    deliver()
    await new Promise(setImmediate)
    expect(records).toEqual([{ err: failure.error }])
  })
})
