import { describe, expect, it } from 'vitest'
import { MINUTE, SECOND, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { level } from '../testing/builders.ts'
import { bookAt, quoted } from '../testing/venue-events.ts'
import { isNewBook, isNewQuote, nothingStored } from './last-stored.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const bids = [41, 40, 39, 38, 37, 36].map((cents) => level(cents, cents))
const asks = [43, 44, 45, 46, 47, 48].map((cents) => level(cents, cents))
const changed = <T>(levels: readonly T[], depth: number, to: T): T[] =>
  levels.map((one, index) => (index === depth ? to : one))

describe('a quote', () => {
  it.each([
    ['the same one a second later', SECOND, {}, false],
    ['another bid', SECOND, { bid: 4_100 as PriceE4 }, true],
    ['another ask', SECOND, { ask: 4_400 as PriceE4 }, true],
    ['no ask', SECOND, { ask: null }, true],
    ['the size of a bid', SECOND, { bidSize: 5 as SizeE6 }, true],
    ['the size of an ask', SECOND, { askSize: 5 as SizeE6 }, true],
    ['the same one just before five minutes', 5 * MINUTE - 1, {}, false],
    ['the same one after five minutes', 5 * MINUTE, {}, true],
    ['the same one of an earlier time', -1, {}, true],
    ['the same one of the same time', 0, {}, false],
    ['the same one of a backfill', SECOND, { origin: 'backfilled' }, true],
    ['the same one of an import', SECOND, { origin: 'imported' }, true],
    ['the same one of a poll', SECOND, { origin: 'polled' }, false],
  ] as const)('after a stored one is stored for %s: %#', (_what, later, quote, isStored) => {
    const last = nothingStored()
    expect(isNewQuote(last, quoted(NOW))).toBe(true)
    expect(isNewQuote(last, quoted(NOW + later, quote))).toBe(isStored)
  })

  it('of the past does not become the current one', () => {
    const last = nothingStored()
    isNewQuote(last, quoted(NOW))
    const other = { bid: 3_000 as PriceE4 }
    expect(isNewQuote(last, quoted(NOW + SECOND, { ...other, origin: 'backfilled' }))).toBe(true)
    expect(isNewQuote(last, quoted(NOW - SECOND, other))).toBe(true)
    expect(isNewQuote(last, quoted(NOW + SECOND))).toBe(false)
  })

  it('is confirmed five minutes after it was last stored', () => {
    const last = nothingStored()
    const stored = [0, 4, 5, 9, 10].map((minute) => isNewQuote(last, quoted(NOW + minute * MINUTE)))
    expect(stored).toEqual([true, false, true, false, true])
  })
})

describe('a book', () => {
  it.each([
    ['the same one a second later', SECOND, {}, false],
    ['its fifth bid', SECOND, { bids: changed(bids, 4, level(37, 9)) }, true],
    ['its fifth ask', SECOND, { asks: changed(asks, 4, level(47, 9)) }, true],
    ['its sixth bid', SECOND, { bids: changed(bids, 5, level(36, 9)) }, false],
    ['its sixth ask', SECOND, { asks: changed(asks, 5, level(48, 9)) }, false],
    ['the same one just before five minutes', 5 * MINUTE - 1, {}, false],
    ['the same one after five minutes', 5 * MINUTE, {}, true],
    ['the same one of an earlier time', -1, {}, true],
    ['the same one of the same time', 0, {}, false],
  ] as const)('after a stored one is stored for %s: %#', (_what, later, book, isStored) => {
    const last = nothingStored()
    expect(isNewBook(last, bookAt(NOW, { bids, asks }))).toBe(true)
    expect(isNewBook(last, bookAt(NOW + later, { bids, asks, ...book }))).toBe(isStored)
  })

  it('of an earlier time does not become the current one', () => {
    const last = nothingStored()
    isNewBook(last, bookAt(NOW, { bids, asks }))
    expect(isNewBook(last, bookAt(NOW - SECOND, { bids: [], asks: [] }))).toBe(true)
    expect(isNewBook(last, bookAt(NOW + SECOND, { bids, asks }))).toBe(false)
  })
})
