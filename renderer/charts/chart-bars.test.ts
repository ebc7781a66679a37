import { describe, expect, it } from 'vitest'
import type { Candle } from '../../backend/contract/market-history.ts'
import type { QuoteBar } from '../../backend/contract/market-tape.ts'
import { chartBars, withCurrent } from './chart-bars.ts'

const HOUR = 3_600
const iso = (hour: number) => new Date(hour * HOUR * 1000).toISOString()
const trade = (hour: number, price: number, volume: number | null = 3): Candle => ({
  t: hour * HOUR,
  at: iso(hour),
  o: price,
  h: price,
  l: price,
  c: price,
  v: volume,
})
const quote = (hour: number, bid: number | null, ask: number | null): QuoteBar => {
  const mid = bid === null || ask === null || ask - bid > 10 ? null : (bid + ask) / 2
  return { t: hour * HOUR, at: iso(hour), bid, ask, o: mid, h: mid, l: mid, c: mid }
}
const build = (
  candles: readonly Candle[],
  quotes: QuoteBar[] = [],
  gaps: { from: string; to: string }[] = [],
  end: number | null = null,
) =>
  chartBars({
    candles,
    quotes: { bars: quotes, gaps },
    seconds: HOUR,
    end: end === null ? null : end * HOUR,
    max: 1_000,
  })
const prices = (bars: ReturnType<typeof build>) => bars.map(({ price }) => price)

describe('bars of a chart [terminal.chart.thin]', () => {
  it('carry the last trade of a thin market into every bar', () => {
    const bars = build([trade(10, 40), trade(13, 50)], [], [], 15)
    expect(prices(bars)).toEqual([40, 40, 40, 50, 50, 50])
    expect(bars.map(({ candle }) => candle !== null)).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ])
  })

  it('show the midpoint of a quote until the next one', () => {
    const bars = build([trade(10, 40)], [quote(11, 44, 46), quote(13, 50, 52)])
    expect(prices(bars)).toEqual([40, 45, 45, 51])
    expect(bars.map(({ source }) => source)).toEqual(['last', 'mid', 'mid', 'mid'])
  })

  it('hold the last trade inside a book that is too wide for a midpoint', () => {
    const bars = build([trade(10, 40)], [quote(11, 60, 90)])
    expect(bars.at(-1)).toMatchObject({ price: 60, source: 'clamped', mid: null, bid: 60 })
  })

  it('have no price in a gap of the feed, until data arrive again', () => {
    const gap = { from: iso(12.5), to: iso(14) }
    const bars = build([trade(10, 40)], [quote(11, 44, 46), quote(15, 50, 52)], [gap])
    expect(prices(bars)).toEqual([40, 45, null, null, null, 51])
  })

  it('mark a price that is carried for more than a day', () => {
    const bars = build([trade(10, 40)], [], [], 36)
    expect(bars.filter(({ isOld }) => isOld)).toHaveLength(2)
  })

  it('take no price-only bar for a trade', () => {
    const bars = build([trade(10, 40), trade(11, 70, null)])
    expect(bars.at(-1)).toMatchObject({ price: 40, source: 'last', mid: { c: 70 } })
    expect(build([trade(10, 70, null)])[0]).toMatchObject({ price: 70, source: 'mid' })
  })

  it('begin a bar of midpoints with the quote that was valid before', () => {
    const bars = build([], [quote(10, 44, 46), quote(11, 50, 52)])
    expect(bars[1]?.mid).toEqual({ o: 45, h: 51, l: 45, c: 51 })
  })

  it('end with the settlement, whatever was recorded later', () => {
    const bars = build([trade(10, 40)], [quote(14, 1, 2)], [], 12)
    expect(prices(bars)).toEqual([40, 40, 40])
  })

  it('keep the newest bars, with what was known before them', () => {
    const bars = chartBars({
      candles: [trade(10, 40)],
      quotes: { bars: [quote(11, 44, 46)], gaps: [] },
      seconds: HOUR,
      end: 20 * HOUR,
      max: 3,
    })
    expect(prices(bars)).toEqual([45, 45, 45])
  })

  it('end with the current price', () => {
    const bars = build([trade(10, 40)], [quote(11, 44, 46)])
    const current = withCurrent(bars, { bid: 48, ask: 50, price: 49 as never, source: 'mid' })
    expect(current.at(-1)).toMatchObject({
      price: 49,
      bid: 48,
      mid: { o: 45, h: 49, l: 45, c: 49 },
    })
    expect(current.slice(0, -1)).toEqual(bars.slice(0, -1))
  })
})
