import { cliffRatio, impliedYieldYes, tauAt } from '../prices/indicators.ts'
import { newestIndex } from '../prices/mark-series.ts'
import { DAY } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

export interface DailyTrendParams {
  /** UTC days, including today. */
  readonly days: number
}
export const DAILY_TREND_PARAMS: DailyTrendParams = { days: 7 }

/** Headline prices of one market, ascending by `ts`; NaN is no price. */
export interface PriceColumns {
  readonly ts: Float64Array
  readonly price: Float64Array
}

/** Trades of one market, ascending by `ts`. */
export interface VolumeColumns {
  readonly ts: Float64Array
  /** In the venue's unit. */
  readonly volume: Float64Array
}

/** One UTC day on which a market had a price. */
export interface TrendDay {
  /** YYYY-MM-DD. */
  readonly date: string
  /** Last headline price of the day and the day's extremes, cents. */
  readonly price: Cents
  readonly high: Cents
  readonly low: Cents
  /** Volume traded that day; null when trades are unknown. */
  readonly volume: number | null
  /** Implied yield of YES and cliff ratio at that price and its instant. */
  readonly iy: number | null
  readonly cri: number | null
}

/**
 * The last seven UTC days including today, oldest first; days without a price are absent. Nothing
 * after `at` is read. Methodology part M, trend7d.
 * @param trades null when they are unknown
 * @param closeTimeAt close time as known at an instant
 */
export function dailyTrend(
  prices: PriceColumns,
  trades: VolumeColumns | null,
  at: Millis,
  closeTimeAt: (at: Millis) => Millis | null,
  params: DailyTrendParams = DAILY_TREND_PARAMS,
): TrendDay[] {
  const today = Math.floor(at / DAY)
  const rows: TrendDay[] = []
  for (let day = today - params.days + 1; day <= today; day++) {
    const [start, end] = [day * DAY, Math.min((day + 1) * DAY - 1, at)]
    let [price, high, low, pricedAt] = [NaN, -Infinity, Infinity, NaN]
    const last = newestIndex(prices.ts, end)
    for (let i = newestIndex(prices.ts, start - 1) + 1; i <= last; i++) {
      const value = prices.price[i] ?? NaN
      if (Number.isNaN(value)) continue
      price = value
      high = Math.max(high, value)
      low = Math.min(low, value)
      pricedAt = prices.ts[i] ?? NaN
    }
    if (Number.isNaN(price)) continue
    const tau = tauAt(closeTimeAt(pricedAt as Millis), pricedAt as Millis)
    rows.push({
      date: new Date(start).toISOString().slice(0, 10),
      price: price as Cents,
      high: high as Cents,
      low: low as Cents,
      volume: trades === null ? null : volumeBetween(trades, start, end),
      iy: impliedYieldYes(price as Cents, tau),
      cri: cliffRatio(price as Cents),
    })
  }
  return rows
}

/** Volume of trades with start <= ts <= end. */
function volumeBetween({ ts, volume }: VolumeColumns, start: number, end: number): number {
  let sum = 0
  const last = newestIndex(ts, end)
  for (let i = newestIndex(ts, start - 1) + 1; i <= last; i++) sum += volume[i] ?? 0
  return sum
}
