import { describe, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../domain/units.ts'
import { traded } from '../testing/venue-events.ts'
import { chunksOf, walkPages, type Page } from './paging.ts'
import {
  firstStatements,
  isAhead,
  latestTime,
  ParseResult,
  priceInRange,
  restingPrice,
  stampOf,
} from './parsed.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const at = (ms: number): Millis => (NOW + ms) as Millis

describe('the times of an event', () => {
  it.each([
    ['live', -1_000, 0],
    ['live', 5, 5],
    ['polled', -1_000, 0],
    ['backfilled', -1_000, 0],
    ['imported', -5_000, -4_000],
  ] as const)('%s, %i ms from its receipt: known %i ms from it', (origin, happened, known) => {
    const stamp = stampOf('venue_a', 'A', at(happened), { origin, receivedAt: NOW })
    expect(stamp).toEqual({
      venue: 'venue_a',
      ticker: 'A',
      at: at(happened),
      receivedAt: at(known),
      origin,
    })
  })

  it('are both that of the receipt for a statement about the present', () => {
    const stamp = stampOf('venue_b', 'A', null, { origin: 'imported', receivedAt: NOW })
    expect(stamp).toMatchObject({ at: NOW, receivedAt: NOW })
  })

  it('are wrong from ten minutes ahead of our clock or the venue’s', () => {
    const context = { origin: 'live', receivedAt: NOW } as const
    expect(latestTime(context)).toBe(NOW)
    expect(latestTime({ ...context, venueTime: null })).toBe(NOW)
    expect(latestTime({ ...context, venueTime: at(-1) })).toBe(NOW)
    expect(latestTime({ ...context, venueTime: at(1) })).toBe(NOW + 1)
    expect(isAhead(at(10 * MINUTE), context)).toBe(false)
    expect(isAhead(at(10 * MINUTE + 1), context)).toBe(true)
    expect(isAhead(at(10 * MINUTE + 1), { ...context, venueTime: at(1) })).toBe(false)
  })
})

describe('a price', () => {
  it.each([
    [null, null, null],
    [-1, null, null],
    [0, 0, null],
    [1, 1, 1],
    [9_999, 9_999, 9_999],
    [10_000, 10_000, null],
    [10_001, null, null],
  ])('of %j is %j, and %j as an order', (price, inRange, resting) => {
    expect(priceInRange(price)).toBe(inRange)
    expect(restingPrice(price)).toBe(resting)
  })
})

describe('the result of a payload', () => {
  it('has the events, and the refused rows by reason', () => {
    const parsed = new ParseResult()
    parsed.add(traded(NOW))
    parsed.add(null)
    expect(parsed.skip('bad price')).toBeNull()
    parsed.skip('bad price')
    parsed.skip('no ticker')
    expect(parsed.result()).toEqual({
      events: [traded(NOW)],
      skipped: { 'bad price': 2, 'no ticker': 1 },
      cursor: null,
    })
    expect(parsed.result('next').cursor).toBe('next')
  })

  it('leaves out the markets that an earlier page stated, not their rows of this page', () => {
    const rows = ['A', 'B', 'A'].map((ticker) => traded(NOW, { ticker }))
    const seen = new Set(['B'])
    expect(firstStatements(rows, seen)).toEqual([rows[0], rows[2]])
    expect(seen).toEqual(new Set(['B', 'A']))
    expect(firstStatements(rows, seen)).toEqual([])
  })
})

describe('pages of a listing', () => {
  const walk = async (cursors: readonly (string | null)[], maxPages = 10) => {
    const requested: (string | null)[] = []
    const pages: number[] = []
    const read = (cursor: string | null): Promise<Page<number>> => {
      requested.push(cursor)
      return Promise.resolve({
        value: requested.length,
        cursor: cursors[requested.length - 1] ?? null,
      })
    }
    let failure: unknown = null
    try {
      for await (const page of walkPages('venue_a', read, maxPages)) pages.push(page)
    } catch (error) {
      failure = error
    }
    return { requested, pages, failure }
  }

  it('are read to the last one', async () => {
    expect(await walk(['a', 'b', null])).toEqual({
      requested: [null, 'a', 'b'],
      pages: [1, 2, 3],
      failure: null,
    })
  })

  it('fail at a repeated cursor, to be tried again', async () => {
    const { pages, failure } = await walk(['a', 'b', 'a'])
    expect(pages).toEqual([1, 2, 3])
    expect(failure).toMatchObject({ retryable: true, message: 'the listing repeated a cursor' })
  })

  it('end at a number of pages, for good', async () => {
    const endless = Array.from({ length: 9 }, (_, page) => `page ${page}`)
    const { requested, failure } = await walk(endless, 3)
    expect(requested).toHaveLength(3)
    expect(failure).toMatchObject({
      retryable: false,
      message: 'the listing was longer than 3 pages',
    })
    expect((await walk(['a', 'b', null], 3)).failure).toBeNull()
  })

  it('of a list have at most so many items', () => {
    expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
    expect(chunksOf([1, 2], 2)).toEqual([[1, 2]])
    expect(chunksOf([], 2)).toEqual([])
  })
})
