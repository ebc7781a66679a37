import type { Candle } from '../domain/prices/candle.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'

/** The fields of a trade that candles use. */
export interface CandleTrade {
  readonly at: Millis
  readonly tradeId: string
  readonly price: PriceE4
  readonly size: SizeE6
  /** Agreed off the book: counts towards the volume of a bar that has prices, never as a price. */
  readonly isBlock: boolean
}

/**
 * Folds trades into candles, oldest first. Empty buckets and those with block trades only are left
 * out (methodology A16). Buckets are aligned to the epoch and left-closed: a trade at 12:05:00.000
 * opens the 12:05 candle. Open and close are the first and last price by (at, tradeId).
 * @param trades in any order
 * @param width bucket width in milliseconds
 */
export function foldTrades(trades: readonly CandleTrade[], width: Millis): Candle[] {
  const buckets = new Map<number, { bar: MutableCandle; hasPrice: boolean }>()
  const ordered = trades.toSorted((a, b) => a.at - b.at || compareIds(a.tradeId, b.tradeId))
  for (const trade of ordered) {
    const start = (Math.floor(trade.at / width) * width) as Millis
    let bucket = buckets.get(start)
    if (bucket === undefined) {
      bucket = { bar: firstBar(start, trade), hasPrice: false }
      buckets.set(start, bucket)
    }
    const { bar } = bucket
    bar.volume = (bar.volume + trade.size) as SizeE6
    if (trade.isBlock) continue
    if (!bucket.hasPrice) {
      bucket.hasPrice = true
      bar.open = bar.high = bar.low = trade.price
    }
    bar.high = Math.max(bar.high, trade.price) as PriceE4
    bar.low = Math.min(bar.low, trade.price) as PriceE4
    bar.close = trade.price
  }
  return [...buckets.values()].filter((bucket) => bucket.hasPrice).map((bucket) => bucket.bar)
}

interface MutableCandle {
  start: Millis
  open: PriceE4
  high: PriceE4
  low: PriceE4
  close: PriceE4
  volume: SizeE6
}

const firstBar = (start: Millis, { price }: CandleTrade): MutableCandle => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 0 as SizeE6,
})

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
