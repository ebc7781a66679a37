import { describe, expect, it } from 'vitest'
import { foldTrades, type CandleTrade } from './fold-trades.ts'
import { DAY, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'

const trade = (
  time: string,
  price: number,
  size: number,
  rest: Partial<CandleTrade> = {},
): CandleTrade => ({
  at: Date.parse(`2026-11-20T${time}Z`) as Millis,
  tradeId: `${time} ${price}`,
  price: price as PriceE4,
  size: size as SizeE6,
  isBlock: false,
  ...rest,
})
const start = (time: string) => Date.parse(`2026-11-20T${time}Z`)

describe('foldTrades', () => {
  it('gives the bars of the methodology example and no bar for an empty minute', () => {
    const trades = [
      trade('10:00:05.000', 4000, 10),
      trade('10:00:59.900', 4200, 5),
      trade('10:02:00.000', 4100, 2),
    ]
    expect(foldTrades(trades, MINUTE)).toEqual([
      { start: start('10:00:00'), open: 4000, high: 4200, low: 4000, close: 4200, volume: 15 },
      { start: start('10:02:00'), open: 4100, high: 4100, low: 4100, close: 4100, volume: 2 },
    ])
  })

  it('counts a block trade as volume of a bar that has prices, never as a price', () => {
    const block = trade('10:00:01.000', 9900, 100, { isBlock: true })
    expect(foldTrades([block, trade('10:00:05.000', 4000, 10)], MINUTE)).toEqual([
      { start: start('10:00:00'), open: 4000, high: 4000, low: 4000, close: 4000, volume: 110 },
    ])
    expect(foldTrades([block], MINUTE)).toEqual([])
  })

  it('orders trades of one instant by their id, whatever the order given', () => {
    const b = trade('10:00:05.000', 4200, 1, { tradeId: 'b' })
    const a = trade('10:00:05.000', 4000, 1, { tradeId: 'a' })
    const [bar] = foldTrades([b, a], MINUTE)
    expect([bar?.open, bar?.close]).toEqual([4000, 4200])
  })

  it('starts a day at midnight UTC and a bar at its first millisecond', () => {
    const bars = foldTrades(
      [trade('00:00:00.000', 1, 1), trade('23:59:59.999', 2, 1), trade('12:05:00.000', 3, 1)],
      DAY,
    )
    expect(bars).toEqual([
      { start: start('00:00:00'), open: 1, high: 3, low: 1, close: 2, volume: 3 },
    ])
  })
})
