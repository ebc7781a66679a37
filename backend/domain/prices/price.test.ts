import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  headlinePrice,
  isStalePrice,
  markOf,
  pricesAt,
  settledPrice,
  spreadOf,
  usableBook,
} from './price.ts'
import type { PriceKnowledge } from './price.ts'
import { DAY, HOUR, MINUTE } from '../units.ts'
import type { Cents, Millis, PriceE4 } from '../units.ts'

const c = (value: number): Cents => value as Cents
const cents = (value: number | null): Cents | null => value as Cents | null
const fresh = (bid: number | null, ask: number | null) =>
  usableBook({ bid: cents(bid), ask: cents(ask), ageMs: 0, paused: false })
const priceOf = (last: number | null, bid: number | null, ask: number | null) =>
  headlinePrice({ last: cents(last), ...fresh(bid, ask) })
const marked = (last: number | null, bid: number | null, ask: number | null) => {
  const book = fresh(bid, ask)
  return markOf({ price: headlinePrice({ last: cents(last), ...book }).price, ...book })
}

describe('valid book', () => {
  it.each([
    [22, 23, 0, false, true],
    [1, 99, 0, false, true],
    [22, 23, 15 * MINUTE, false, true],
    [22, 23, 15 * MINUTE + 1, false, false],
    [22, 23, 0, true, false],
    [23, 23, 0, false, false],
    [24, 23, 0, false, false],
    [0, 23, 0, false, false],
    [22, 100, 0, false, false],
    [null, 23, 0, false, false],
    [22, null, 0, false, false],
    [22, 23, null, false, false],
  ] as const)('of %s / %s aged %s, paused %s is %s', (bid, ask, ageMs, paused, valid) => {
    const book = usableBook({ bid: cents(bid), ask: cents(ask), ageMs, paused })
    expect(book.bookValid).toBe(valid)
  })

  it('treats 0 and 100 as empty sides and keeps the other side', () => {
    expect(fresh(0, 40)).toEqual({ bid: null, ask: 40, bookValid: false })
    expect(fresh(40, 100)).toEqual({ bid: 40, ask: null, bookValid: false })
  })
})

describe('headline price', () => {
  it.each([
    // last, bid, ask, price, source
    [22, 22, 23, 22, 'last'],
    [30, 22, 23, 23, 'clamped'],
    [10, 22, 23, 22, 'clamped'],
    [35, 20, 60, 35, 'last'],
    [null, 20, 30, 25, 'mid'],
    [null, 20, 30.5, null, null],
    [null, 1, 99, null, null],
    [50, 1, 99, 50, 'last'],
    [20, 25, null, 25, 'clamped'],
    [30, 25, null, 30, 'last'],
    [30, null, 25, 25, 'clamped'],
    [20, null, 25, 20, 'last'],
    [null, 25, null, null, null],
    [null, null, 25, null, null],
    [40, 60, 50, 40, 'last'],
    [40, null, null, 40, 'last'],
    [null, null, null, null, null],
  ] as const)('of last %s under %s / %s is %s (%s)', (last, bid, ask, price, source) => {
    expect(priceOf(last, bid, ask)).toEqual({ price, source })
  })

  it('never leaves a valid book', () => {
    const tick = fc.integer({ min: 1, max: 9_999 }).map((value) => value / 100)
    fc.assert(
      fc.property(tick, tick, tick, (last, a, b) => {
        fc.pre(a !== b)
        const [bid, ask] = [Math.min(a, b), Math.max(a, b)]
        const { price } = priceOf(last, bid, ask)
        expect(price).toBeGreaterThanOrEqual(bid)
        expect(price).toBeLessThanOrEqual(ask)
      }),
    )
  })

  it('is mirrored when YES and NO are swapped', () => {
    const whole = fc.integer({ min: 1, max: 99 })
    fc.assert(
      fc.property(fc.option(whole), fc.option(whole), fc.option(whole), (last, bid, ask) => {
        const flip = (value: number | null) => (value === null ? null : 100 - value)
        const yes = priceOf(last, bid, ask)
        const no = priceOf(flip(last), flip(ask), flip(bid))
        expect(no).toEqual({ price: flip(yes.price), source: yes.source })
      }),
    )
  })
})

describe('mark', () => {
  it.each([
    [22, 22, 23, 22.5],
    [30, 22, 23, 22.5],
    [35, 20, 60, 35],
    [22, 20, 30, 25],
    [22, 20, 30.01, 22],
    [35, 20, null, 35],
    [null, 1, 99, null],
  ] as const)('of last %s under %s / %s is %s', (last, bid, ask, mark) => {
    expect(marked(last, bid, ask)).toBe(mark)
  })
})

it('returns a spread without float noise, and null for one side', () => {
  expect(spreadOf(c(22.3), c(25.3))).toBe(3)
  expect(spreadOf(c(22), null)).toBeNull()
})

it.each([
  ['yes', null, 100],
  ['no', null, 0],
  ['scalar', 5_000, 50],
  ['scalar', null, null],
  ['void', 5_000, null],
  [null, 10_000, 100],
  [null, null, null],
] as const)('pays %s with value %s as %s', (result, value, price) => {
  expect(settledPrice({ result, settlementPrice: value as PriceE4 | null })).toBe(price)
})

it('calls a price stale without a book and a day after its trade', () => {
  expect(isStalePrice(false, DAY)).toBe(false)
  expect(isStalePrice(false, DAY + 1)).toBe(true)
  expect(isStalePrice(true, DAY + 1)).toBe(false)
})

describe('prices of a market', () => {
  const at = Date.UTC(2026, 10, 20) as Millis
  const ago = (span: number) => (at - span) as Millis
  const known = (change: Partial<PriceKnowledge>): PriceKnowledge => ({
    status: 'active',
    at,
    last: { price: c(22), at: ago(HOUR) },
    quote: { bid: c(22), ask: c(23), confirmedAt: ago(MINUTE) },
    settlement: { result: null, settlementPrice: null },
    ...change,
  })

  it('agree with the recorded market', () => {
    expect(pricesAt(known({}))).toEqual({
      price: 22,
      source: 'last',
      mark: 22.5,
      bid: 22,
      ask: 23,
      spread: 1,
      last: 22,
      hasOrderbook: true,
      stale: false,
    })
  })

  it('are all unknown before it opens', () => {
    expect(pricesAt(known({ status: 'upcoming' }))).toMatchObject({
      price: null,
      mark: null,
      bid: null,
      last: null,
      hasOrderbook: false,
    })
  })

  it('are the last trade while paused', () => {
    expect(pricesAt(known({ status: 'paused', last: { price: c(30), at } }))).toMatchObject({
      price: 30,
      mark: 30,
      bid: null,
      ask: null,
      spread: null,
      hasOrderbook: false,
    })
  })

  it.each(['closed', 'resolving'] as const)('are the last mark once %s', (status) => {
    const quote = { bid: c(22), ask: c(23), confirmedAt: ago(2 * DAY) }
    const last = { price: c(22), at: ago(2 * DAY + HOUR) }
    expect(pricesAt(known({ status, quote, last }))).toMatchObject({
      price: 22.5,
      mark: 22.5,
      bid: null,
      hasOrderbook: false,
    })
    const later = { price: c(40), at: ago(DAY) }
    expect(pricesAt(known({ status, quote, last: later }))).toMatchObject({ price: 40, mark: 40 })
  })

  it('are the settlement once settled, and none when void', () => {
    const yes = { result: 'yes', settlementPrice: 10_000 as PriceE4 } as const
    const nothing = { result: 'void', settlementPrice: null } as const
    expect(pricesAt(known({ status: 'settled', settlement: yes }))).toMatchObject({
      price: 100,
      mark: 100,
      source: 'settled',
      hasOrderbook: false,
    })
    expect(pricesAt(known({ status: 'settled', settlement: nothing }))).toMatchObject({
      price: null,
      mark: null,
      source: null,
    })
  })

  it('are the middle of a stored book where no trade is known, and stale', () => {
    const quote = { bid: c(22), ask: c(23), confirmedAt: ago(3 * DAY) }
    const stored = { price: 22.5, source: 'mid', mark: 22.5, bid: null, hasOrderbook: false }
    expect(pricesAt(known({ last: null, quote }))).toMatchObject({ ...stored, stale: true })
    const wide = { ...quote, ask: c(60) }
    expect(pricesAt(known({ last: null, quote: wide })).price).toBeNull()
    expect(pricesAt(known({ quote })).price).toBe(22)
    expect(pricesAt(known({ last: null, quote, status: 'paused' })).price).toBeNull()
  })

  it('are unknown, not 0, when nothing is known', () => {
    const prices = pricesAt(known({ last: null, quote: null }))
    expect(prices).toMatchObject({ price: null, mark: null, bid: null, ask: null, spread: null })
  })
})
