import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import { PriceRing, type KnownPrice } from './price-ring.ts'

const START = 1_000 * HOUR
const MARKET = 1

/** A trade `after` ms from the start, known `lag` ms later. */
const trade = (price: number, after: number, lag = 0, tradeId = `t${after}`): KnownPrice => ({
  price: price as Cents,
  ts: (START + after) as Millis,
  knownAt: (START + after + lag) as Millis,
  tradeId,
})
const at = (after: number): Millis => (START + after) as Millis

describe('the ring of last prices', () => {
  it('is null before the first price', () => {
    const ring = new PriceRing((4 * HOUR) as Millis)
    expect(ring.at(MARKET, at(0))).toBeNull()
    ring.record(MARKET, trade(40, MINUTE))
    expect(ring.at(MARKET, at(MINUTE - 1))).toBeNull()
    expect(ring.at(2, at(MINUTE))).toBeNull()
  })

  it('reads the whole minute at or before the instant', () => {
    const ring = new PriceRing((4 * HOUR) as Millis)
    ring.record(MARKET, trade(40, MINUTE))
    ring.record(MARKET, trade(45, MINUTE + 1))
    expect(ring.at(MARKET, at(MINUTE))).toBe(40)
    expect(ring.at(MARKET, at(2 * MINUTE - 1))).toBe(40)
    expect(ring.at(MARKET, at(2 * MINUTE))).toBe(45)
  })

  it('uses a price from when it was known, and no older trade after a newer one', () => {
    const ring = new PriceRing((4 * HOUR) as Millis)
    ring.record(MARKET, trade(50, 10 * MINUTE))
    ring.record(MARKET, trade(30, 5 * MINUTE, 3 * MINUTE))
    ring.record(MARKET, trade(20, 9 * MINUTE, 5 * MINUTE))
    expect(ring.at(MARKET, at(7 * MINUTE))).toBeNull()
    expect(ring.at(MARKET, at(8 * MINUTE))).toBe(30)
    expect(ring.at(MARKET, at(10 * MINUTE))).toBe(50)
    expect(ring.at(MARKET, at(20 * MINUTE))).toBe(50)
  })

  it('prefers a trade to any price that was only stated', () => {
    const ring = new PriceRing((4 * HOUR) as Millis)
    ring.record(MARKET, trade(40, MINUTE))
    ring.record(MARKET, { ...trade(60, 3 * MINUTE), tradeId: null })
    expect(ring.at(MARKET, at(4 * MINUTE))).toBe(40)
  })

  it('drops a market that ended', () => {
    const ring = new PriceRing((4 * HOUR) as Millis)
    ring.record(MARKET, trade(40, MINUTE))
    ring.remove(MARKET)
    expect(ring.at(MARKET, at(HOUR))).toBeNull()
    expect(ring.size).toBe(0)
  })

  it('answers any minute of its span like a search through all trades', () => {
    const span = 20 * MINUTE
    const arrivals = fc.array(
      fc.record({
        price: fc.integer({ min: 1, max: 99 }),
        after: fc.integer({ min: 0, max: 30 * MINUTE }),
        lag: fc.integer({ min: 0, max: 3 * MINUTE }),
        stated: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 10, max: 40 }), (sent, minutes) => {
        const ring = new PriceRing(span as Millis)
        const prices = sent.map(({ price, after, lag, stated }, index) => ({
          ...trade(price, after, lag, `t${index}`),
          ...(stated ? { tradeId: null } : {}),
          ts: (START + Math.floor(after / 1_000) * 1_000 + (stated ? index : 0)) as Millis,
        }))
        for (const price of prices) ring.record(MARKET, price)
        const instant = Math.floor(at(minutes * MINUTE) / MINUTE) * MINUTE
        const newest = prices
          .filter(({ ts, knownAt }) => Math.max(ts, knownAt) <= instant)
          .sort(
            (a, b) =>
              Number(b.tradeId !== null) - Number(a.tradeId !== null) ||
              b.ts - a.ts ||
              ((b.tradeId ?? '') > (a.tradeId ?? '') ? 1 : -1),
          )[0]
        const latest = Math.max(0, ...prices.map(({ ts, knownAt }) => Math.max(ts, knownAt)))
        fc.pre(instant >= latest - span)
        expect(ring.at(MARKET, instant as Millis)).toBe(newest?.price ?? null)
      }),
    )
  })
})
