import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { pricesAt } from '../../../backend/domain/prices/price.ts'
import type { Cents, Millis } from '../../../backend/domain/units.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import { candlesOf, centsOf, quoteOfTicker, tradingPrice, withTicker } from './shapes.ts'

describe('centsOf', () => {
  it('is exact for every probability of at most six decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => {
        const digits = String(millionths).padStart(7, '0')
        const probability = Number(`${digits.slice(0, 1)}.${digits.slice(1)}`)
        const cents = Number(`${digits.slice(0, 3)}.${digits.slice(3)}`)
        expect(centsOf(probability)).toBe(cents)
      }),
    )
  })
})

describe('the price of a market that trades', () => {
  it.each([
    [50, 48, 52, 50],
    [40, 48, 52, 48],
    [60, 48, 52, 52],
    [40, 48, null, 48],
    [60, null, 52, 52],
    [60, null, null, 60],
    [null, 48, 52, 50],
    [null, 40, 52, null],
    [null, 48, null, null],
    [null, 0.1, 0.4, 0.25],
  ])('of last %s in %s to %s is %s', (last, bid, ask, price) => {
    const [lastCents, bidCents, askCents] = [last, bid, ask] as (Cents | null)[]
    expect(tradingPrice(lastCents ?? null, bidCents ?? null, askCents ?? null, 'active')).toBe(
      price,
    )
  })
})

describe('withTicker', () => {
  const row = marketRow({ price: 50, change24h: 10, updatedAt: '2026-11-20T10:00:00.000Z' })
  const at = Date.parse('2026-11-20T10:00:05.000Z')

  it('uses newer values, in cents, and updates the change with the price', () => {
    const quote = tickerData({
      ts: at,
      lastPrice: 0.553,
      bestBid: 0.55,
      bestAsk: 0.56,
      volume24h: 7,
    })
    expect(withTicker(row, quoteOfTicker(quote))).toMatchObject({
      price: 55.3,
      bestBid: 55,
      bestAsk: 56,
      spread: 1,
      change24h: 15.3,
      volume24h: 7,
      updatedAt: '2026-11-20T10:00:05.000Z',
    })
  })

  it('ignores a quote older than the row', () => {
    expect(withTicker(row, quoteOfTicker(tickerData({ ts: at - 6_000 })))).toBe(row)
  })

  it('keeps the payout of a settled market', () => {
    const quote = tickerData({ ts: at, status: 'settled', lastPrice: 0.2 })
    expect(withTicker(row, quoteOfTicker(quote))).toMatchObject({ price: 50, status: 'settled' })
  })

  it.each(['closed', 'resolving'] as const)('keeps the mark of a %s market', (status) => {
    // The service marks last 40 and a final book of 60/64 at 62; the frame has only the trade.
    const prices = pricesAt({
      status,
      at: at as Millis,
      last: { price: 40 as Cents, at: at as Millis },
      quote: { bid: 60 as Cents, ask: 64 as Cents, confirmedAt: at as Millis },
      settlement: { result: null, settlementPrice: null },
    })
    expect(prices.price).toBe(62)
    const served = marketRow({
      price: prices.price,
      change24h: 2,
      updatedAt: row.updatedAt,
      status,
    })
    const frame = tickerData({ ts: at, status, lastPrice: 0.4, bestBid: null, bestAsk: null })
    const shown = withTicker(served, quoteOfTicker(frame))
    expect(shown).toMatchObject({ price: 62, change24h: 2, lastPrice: 40, bestBid: null, status })
  })

  it('leaves an unknown change null', () => {
    const unknown = marketRow({ price: 50, change24h: null })
    expect(withTicker(unknown, quoteOfTicker(tickerData({ ts: at }))).change24h).toBeNull()
  })
})

it('converts bars to candles, each once, and keeps their gap marks', () => {
  const bar = { t: 60, o: 0.5, h: 0.505, l: 0.4, c: 0.45, v: null, gap: true as const }
  const [candle] = candlesOf({ candles: [bar] })
  expect(candle).toEqual({
    t: 60,
    at: '1970-01-01T00:01:00.000Z',
    o: 50,
    h: 50.5,
    l: 40,
    c: 45,
    v: null,
    gap: true,
  })
  expect(candlesOf({ candles: [bar] })[0]).toBe(candle)
})
