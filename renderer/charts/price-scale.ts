import type { ChartBar } from './chart-bars.ts'
import type { Scale } from './chart-types.ts'
import type { PriceSpan } from './layers/chart-layer.ts'

/** Prices nearer to the ends than this share one place on a log-odds axis. */
const EDGE = 0.1
/** The least range of an automatic axis, so that a constant price has readable marks. */
const MIN_SPAN = 4
/** A spread wider than this, such as 1 and 99, does not widen an automatic axis. */
const WIDEST_SPREAD = 20

/** The value that a series holds for a price in cents. */
export function toScale(scale: Scale, cents: number): number {
  if (scale !== 'log-odds') return cents
  const share = Math.min(100 - EDGE, Math.max(EDGE, cents)) / 100
  return Math.log(share / (1 - share))
}

/** The price in cents of a value of a series. */
export const fromScale = (scale: Scale, value: number): number =>
  scale === 'log-odds' ? 100 / (1 + Math.exp(-value)) : value

/** Text of an axis mark; beyond 0 and 100¢ there are no prices. */
export function axisText(scale: Scale, value: number, isPercent = false): string {
  const cents = fromScale(scale, value)
  return cents < -0.01 || cents > 100.01 ? '' : `${cents.toFixed(1)}${isPercent ? '%' : '¢'}`
}

/** Lowest and highest price of bars and layers, in cents; null when there is none. */
function spanOf(
  bars: readonly ChartBar[],
  layers: readonly PriceSpan[],
  isComparing: boolean,
): PriceSpan | null {
  let [low, high] = [Infinity, -Infinity]
  const add = (value: number | null) => {
    if (value === null) return
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  for (const { price, bid, ask, candle } of bars) {
    add(price)
    if (isComparing) continue
    if (bid !== null && ask !== null && ask - bid <= WIDEST_SPREAD) {
      add(bid)
      add(ask)
    }
    add(candle?.l ?? null)
    add(candle?.h ?? null)
  }
  for (const span of layers) {
    add(span.low)
    add(span.high)
  }
  return low > high ? null : { low, high }
}

export interface AxisStyle {
  readonly scale: Scale
  /** Only the price of each bar is drawn. */
  readonly isComparing: boolean
}

/** Range of the axis, in values of the scale; null leaves it to the library. */
export function axisRange(
  { scale, isComparing }: AxisStyle,
  bars: readonly ChartBar[],
  layers: readonly PriceSpan[] = [],
): { readonly minValue: number; readonly maxValue: number } | null {
  if (scale === 'fixed') return { minValue: 0, maxValue: 100 }
  const span = spanOf(bars, layers, isComparing)
  if (span === null) return null
  const padding = Math.max(0, MIN_SPAN - (span.high - span.low)) / 2
  const low = Math.max(0, Math.min(span.low - padding, 100 - MIN_SPAN))
  const high = Math.min(100, Math.max(span.high + padding, MIN_SPAN))
  return { minValue: toScale(scale, low), maxValue: toScale(scale, high) }
}

/** Share above the highest price: room for the line of readings. */
const LEAST_TOP = 0.12
/** The prices keep most of the height, however many lines the legend has. */
const MOST_TOP = 0.42
/** Height of the readings below a list of lines, in px. */
const READINGS = 36

/**
 * Share of the height that stays free above the highest price.
 * @param legendHeight height in px of the list of compared markets and studies, 0 without one
 */
export function topMargin(legendHeight: number, height: number): number {
  if (legendHeight === 0 || height === 0) return LEAST_TOP
  return Math.min(MOST_TOP, Math.max(LEAST_TOP, (legendHeight + READINGS) / height))
}
