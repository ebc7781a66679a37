import { WIDTHS, type Timeframe } from '../prices/candle.ts'
import type { Cents, Millis } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import type { KnownCandle } from './strategy.ts'

/** Number of bars that are kept per market. */
const MAX_BARS = 500

interface OpenBar {
  start: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  /** Venue times of its first and last trade. */
  openTs: number
  closeTs: number
}

/**
 * Bars of one timeframe, built from trades as they become known. Only completed bars are visible.
 */
export class CandleCache {
  readonly width: Millis
  readonly #bars = new Map<MarketIndex, OpenBar[]>()

  constructor(timeframe: Timeframe) {
    this.width = WIDTHS[timeframe]
  }

  /** @param size NaN for a price without a volume */
  print(market: MarketIndex, ts: number, price: number, size: number): void {
    const start = Math.floor(ts / this.width) * this.width
    let bars = this.#bars.get(market)
    if (bars === undefined) this.#bars.set(market, (bars = []))
    let at = bars.length - 1
    while (at >= 0 && (bars[at] as OpenBar).start > start) at--
    const bar = bars[at]
    if (bar?.start !== start) {
      const prices = { open: price, high: price, low: price, close: price }
      bars.splice(at + 1, 0, { start, ...prices, volume: size, openTs: ts, closeTs: ts })
      if (bars.length > MAX_BARS) bars.shift()
      return
    }
    bar.high = Math.max(bar.high, price)
    bar.low = Math.min(bar.low, price)
    // Trades become known late and out of order.
    if (ts < bar.openTs) [bar.open, bar.openTs] = [price, ts]
    if (ts >= bar.closeTs) [bar.close, bar.closeTs] = [price, ts]
    bar.volume = Number.isNaN(bar.volume) ? size : bar.volume + (Number.isNaN(size) ? 0 : size)
  }

  /** Bars that ended by `now`, oldest first, at most `count`. */
  endedBars(market: MarketIndex, now: Millis, count: number): KnownCandle[] {
    const bars = this.#bars.get(market) ?? []
    let end = bars.length
    while (end > 0 && (bars[end - 1] as OpenBar).start + this.width > now) end--
    return bars.slice(Math.max(0, end - count), end).map(({ start, volume, ...bar }) => ({
      start: start as Millis,
      open: (bar.open / 100) as Cents,
      high: (bar.high / 100) as Cents,
      low: (bar.low / 100) as Cents,
      close: (bar.close / 100) as Cents,
      volume: Number.isNaN(volume) ? null : volume / 1e6,
    }))
  }
}
