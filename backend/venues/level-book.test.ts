import { describe, expect, it } from 'vitest'
import type { OrderBook } from '../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import { level } from '../testing/builders.ts'
import { bookEvents, QuoteDeduplicator } from './book-events.ts'
import { isCrossed, LevelBook } from './level-book.ts'
import { stampOf } from './parsed.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const price = (cents: number) => (cents * 100) as PriceE4
const size = (contracts: number) => (contracts * 1e6) as SizeE6
const bookOf = (bids: [number, number][], asks: [number, number][]): OrderBook => ({
  bids: bids.map(([cents, contracts]) => level(cents, contracts)),
  asks: asks.map(([cents, contracts]) => level(cents, contracts)),
})

describe('a book of a snapshot and its changes', () => {
  it('has bids from the highest and asks from the lowest', () => {
    const book = new LevelBook(
      bookOf(
        [
          [39, 1],
          [41, 2],
          [40, 3],
        ],
        [
          [45, 1],
          [43, 2],
          [44, 3],
        ],
      ),
    )
    expect(book.levels()).toEqual(
      bookOf(
        [
          [41, 2],
          [40, 3],
          [39, 1],
        ],
        [
          [43, 2],
          [44, 3],
          [45, 1],
        ],
      ),
    )
  })

  it('replaces, adds and removes levels of one side', () => {
    const book = new LevelBook(bookOf([[41, 2]], [[43, 2]]))
    book.set('bid', price(41), size(5))
    book.set('bid', price(40), size(1))
    book.set('ask', price(43), size(0))
    expect(book.levels()).toEqual(
      bookOf(
        [
          [41, 5],
          [40, 1],
        ],
        [],
      ),
    )
    expect(book.add('bid', price(41), 0 - size(2))).toBe(true)
    expect(book.add('bid', price(40), 0 - size(1))).toBe(true)
    expect(book.add('ask', price(44), size(3))).toBe(true)
    expect(book.levels()).toEqual(bookOf([[41, 3]], [[44, 3]]))
  })

  it('refuses a change below zero and keeps the level', () => {
    const book = new LevelBook(bookOf([[41, 2]], []))
    expect(book.add('bid', price(41), 0 - size(2) - 1)).toBe(false)
    expect(book.add('ask', price(43), -1)).toBe(false)
    expect(book.levels()).toEqual(bookOf([[41, 2]], []))
  })

  it.each([
    [[[41, 1]], [[42, 1]], false],
    [[[41, 1]], [[41, 1]], true],
    [[[42, 1]], [[41, 1]], true],
    [[], [[41, 1]], false],
    [[[41, 1]], [], false],
  ] as [[number, number][], [number, number][], boolean][])(
    'of %j and %j is crossed: %s',
    (bids, asks, expected) => {
      expect(isCrossed(bookOf(bids, asks))).toBe(expected)
    },
  )
})

describe('the quote of a book', () => {
  const stamp = (ticker = 'A') =>
    stampOf('venue_a', ticker, null, { origin: 'live', receivedAt: NOW })
  const book = bookOf([[41, 2]], [[43, 3]])

  it('is that of its best levels', () => {
    expect(bookEvents(book, stamp())).toEqual([
      {
        type: 'quote_changed',
        ...stamp(),
        bid: 4_100,
        bidSize: 2e6,
        ask: 4_300,
        askSize: 3e6,
      },
      { type: 'book_changed', ...stamp(), ...book },
    ])
    expect(bookEvents(bookOf([], []), stamp())[0]).toMatchObject({
      bid: null,
      bidSize: null,
      ask: null,
      askSize: null,
    })
  })

  it.each([
    ['the same levels', book, 1],
    ['another bid', bookOf([[40, 2]], [[43, 3]]), 2],
    ['another size of the bid', bookOf([[41, 1]], [[43, 3]]), 2],
    ['another ask', bookOf([[41, 2]], [[44, 3]]), 2],
    ['another size of the ask', bookOf([[41, 2]], [[43, 1]]), 2],
    [
      'another level below',
      bookOf(
        [
          [41, 2],
          [40, 1],
        ],
        [[43, 3]],
      ),
      1,
    ],
  ])('is emitted when it changed: %s', (_what, next, events) => {
    const memory = new QuoteDeduplicator()
    expect(memory.eventsOf(book, stamp())).toHaveLength(2)
    expect(memory.eventsOf(next, stamp())).toHaveLength(events)
    expect(memory.eventsOf(next, stamp()).map(({ type }) => type)).toEqual(['book_changed'])
    expect(memory.eventsOf(next, stamp('B'))).toHaveLength(2)
    memory.remove('A')
    expect(memory.eventsOf(next, stamp())).toHaveLength(2)
  })
})
