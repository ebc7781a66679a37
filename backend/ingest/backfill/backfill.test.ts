import { describe, expect, it } from 'vitest'
import type { Venue } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { bookAt, described, traded } from '../../testing/venue-events.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import { Backfill } from './backfill.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const names = (count: number) => Array.from({ length: count }, (_, index) => `M${index}`)

const open = (venue: Venue, story = {}) => {
  const connector = new FakeVenue(venue, story)
  const received: VenueEvent[] = []
  const backfill = new Backfill(connector, {
    accept: (events) => {
      received.push(...events)
      return Promise.resolve()
    },
  })
  return { connector, backfill, received, signal: new AbortController().signal }
}

describe('trades of a span', () => {
  it.each([
    ['ninety days', 90 * DAY],
    ['a length that no slice divides', 5 * HOUR + 7],
    ['less than one slice', 3 * MINUTE],
    ['a moment', 1],
  ])('are requested without gap or overlap: %s', async (_name, length) => {
    const { connector, backfill, signal } = open('venue_a')
    const from = (NOW - length) as Millis
    await backfill.trades(['M0'], { from, to: NOW }, 'backfilled', signal)
    const slices = connector
      .requestedFor('trades')
      .map(({ from: start, to, tickers }) => ({ from: start ?? 0, to: to ?? 0, tickers }))
      .sort((a, b) => a.from - b.from)
    expect(slices[0]?.from).toBe(from)
    expect(slices.at(-1)?.to).toBe(NOW)
    for (const [index, slice] of slices.entries()) {
      expect(slice.tickers).toBeNull()
      expect(slice.to).toBeGreaterThan(slice.from)
      expect(slice.to).toBe(slices[index + 1]?.from ?? NOW)
    }
  })

  it('are requested from the newest slice back, two at a time', async () => {
    const { connector, backfill, signal } = open('venue_a')
    const ask = connector.trades.bind(connector)
    let [underWay, max] = [0, 0]
    connector.trades = async function* (...query) {
      max = Math.max(max, ++underWay)
      yield* ask(...query)
      underWay -= 1
    }
    const from = (NOW - 90 * DAY) as Millis
    await backfill.trades(['M0'], { from, to: NOW }, 'backfilled', signal)
    const ends = connector.requestedFor('trades').map(({ to }) => to ?? 0)
    expect(ends[0]).toBe(NOW)
    expect(ends).toEqual([...ends].sort((a, b) => b - a))
    expect(ends.length).toBeGreaterThan(4)
    expect(max).toBe(2)
  })

  it('are read no faster than they are written', async () => {
    const page = traded(NOW - HOUR)
    const connector = new FakeVenue('venue_a', {})
    let read = 0
    connector.trades = async function* () {
      while (read < 20) {
        read += 1
        yield await Promise.resolve([page])
      }
    }
    const writing: (() => void)[] = []
    const backfill = new Backfill(connector, {
      accept: () => new Promise<void>((resolve) => void writing.push(resolve)),
    })
    const span = { from: (NOW - 90 * DAY) as Millis, to: NOW }
    void backfill.trades(['M0'], span, 'backfilled', new AbortController().signal)
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    await settle()
    // One page of each of the two concurrent slices waits for the writer.
    expect(read).toBe(2)
    writing.shift()?.()
    await settle()
    expect(read).toBe(3)
  })

  it('are not requested for an empty span', async () => {
    const { connector, backfill, signal } = open('venue_a')
    await backfill.trades([], { from: NOW, to: NOW }, 'polled', signal)
    expect(connector.requested).toEqual([])
  })

  it('are requested by groups of markets if the venue requires names', async () => {
    const { connector, backfill, signal } = open('venue_b')
    const from = (NOW - DAY) as Millis
    await backfill.trades(names(45), { from, to: NOW }, 'polled', signal)
    const requested = connector.requestedFor('trades')
    expect(requested.map(({ tickers }) => tickers?.length)).toEqual([20, 20, 5])
    expect(requested.flatMap(({ tickers }) => tickers ?? [])).toEqual(names(45))
    expect(requested).toMatchObject(requested.map(() => ({ from, to: NOW, origin: 'polled' })))
  })

  it('are all stored, in whichever slice they arrive', async () => {
    const trades = names(40).map((tradeId, index) => traded(NOW - index * HOUR - 1, { tradeId }))
    const { backfill, received, signal } = open('venue_a', { trades })
    await backfill.trades([], { from: (NOW - 2 * DAY) as Millis, to: NOW }, 'backfilled', signal)
    expect(received).toHaveLength(40)
    expect(new Set(received)).toEqual(new Set(trades))
  })

  it('fail if one slice does', async () => {
    const { connector, backfill, signal } = open('venue_a')
    connector.failing.add('trades')
    const requested = backfill.trades(
      [],
      { from: (NOW - DAY) as Millis, to: NOW },
      'polled',
      signal,
    )
    await expect(requested).rejects.toThrow('trades failed')
  })
})

describe('markets in groups', () => {
  it('reads hourly bars of fifty at a time', async () => {
    const { connector, backfill, signal } = open('venue_a')
    await backfill.bars(names(101), { from: (NOW - DAY) as Millis, to: NOW }, signal)
    const sizes = connector.requestedFor('candles').map(({ tickers }) => tickers?.length)
    expect(sizes).toEqual([50, 50, 1])
  })

  it('stores books and facts of the named markets only', async () => {
    const story = {
      open: names(30).map((ticker) => described(NOW, { ticker })),
      books: names(30).map((ticker) => bookAt(NOW, { ticker })),
    }
    const { connector, backfill, received, signal } = open('venue_a', story)
    await backfill.markets(names(25), signal)
    await backfill.books(names(25), signal)
    expect(connector.requested.map(({ tickers }) => tickers?.length)).toEqual([20, 5, 20, 5])
    expect(received.map(({ type, ticker }) => [type, ticker])).toEqual([
      ...names(25).map((ticker) => ['market_described', ticker]),
      ...names(25).map((ticker) => ['book_changed', ticker]),
    ])
  })
})
