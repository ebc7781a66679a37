import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { Collecting, NOW, storyOf } from '../../testing/collecting.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { traded } from '../../testing/venue-events.ts'

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
