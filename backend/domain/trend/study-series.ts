import { bollingerBands, type Bands } from './technicals.ts'

/** One value a bar, oldest first; null where it is unknown. */
export type BarValues = readonly (number | null)[]

/** A bar of trades; volume is null when the venue does not publish it. */
export interface TradedBar {
  /** Start, Unix seconds. */
  readonly time: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number | null
}

/** Applies a rule to the known closes; bars without a close have no value. */
function mapCloses<T>(closes: BarValues, next: (closesSoFar: readonly number[]) => T | null) {
  const closesSoFar: number[] = []
  return closes.map((close): T | null => {
    if (close === null) return null
    closesSoFar.push(close)
    return next(closesSoFar)
  })
}

/** Simple moving average of the last n known closes; null for fewer than n + 1. */
export function simpleMeans(closes: BarValues, n: number): BarValues {
  let sum = 0
  return mapCloses(closes, (closesSoFar) => {
    sum +=
      (closesSoFar.at(-1) ?? 0) -
      (closesSoFar.length > n ? (closesSoFar[closesSoFar.length - 1 - n] ?? 0) : 0)
    return closesSoFar.length < n + 1 ? null : sum / n
  })
}

/** Exponential average with k = 2 / (n + 1), seeded by the first close; null for fewer than n + 1. */
export function exponentialMeans(closes: BarValues, n: number): BarValues {
  const k = 2 / (n + 1)
  let mean: number | null = null
  return mapCloses(closes, (closesSoFar) => {
    const close = closesSoFar.at(-1) ?? 0
    mean = mean === null ? close : mean + k * (close - mean)
    return closesSoFar.length < n + 1 ? null : mean
  })
}

/** Bollinger bands of each bar over n closes: mean ± width population deviations. */
export const bollingerSeries = (
  closes: BarValues,
  n: number,
  width: number,
): readonly (Bands | null)[] =>
  // One more close than the window, because the bands need it.
  mapCloses(closes, (closesSoFar) => bollingerBands(closesSoFar.slice(-n - 1), n, width))

/** Relative strength 0 to 100 of each bar with Wilder's smoothing; null for fewer than n + 1. */
export function relativeStrengths(closes: BarValues, n: number): BarValues {
  let [gain, loss] = [0, 0]
  return mapCloses(closes, (closesSoFar) => {
    const changes = closesSoFar.length - 1
    if (changes < 1) return null
    const change = (closesSoFar.at(-1) ?? 0) - (closesSoFar.at(-2) ?? 0)
    const [rise, fall] = [Math.max(change, 0), Math.max(-change, 0)]
    // Plain averages over the first n changes, smoothed from there on.
    const isFirst = changes <= n
    gain = isFirst ? gain + rise / n : (gain * (n - 1) + rise) / n
    loss = isFirst ? loss + fall / n : (loss * (n - 1) + fall) / n
    if (changes < n) return null
    if (loss === 0) return gain === 0 ? 50 : 100
    return 100 - 100 / (1 + gain / loss)
  })
}

/**
 * Realised volatility of each bar: root of the sum of squared changes of the last n closes per
 * hour, in cents per root hour, as `volC`. Null for fewer than n + 1 closes.
 */
export function realisedVolatilities(closes: BarValues, n: number, barSeconds: number): BarValues {
  let squares = 0
  const squareAt = (closesSoFar: readonly number[], end: number): number =>
    ((closesSoFar[end] ?? 0) - (closesSoFar[end - 1] ?? 0)) ** 2
  return mapCloses(closes, (closesSoFar) => {
    const last = closesSoFar.length - 1
    if (last < 1) return null
    squares += squareAt(closesSoFar, last) - (last > n ? squareAt(closesSoFar, last - n) : 0)
    return last < n ? null : Math.sqrt((Math.max(0, squares) * 3_600) / (n * barSeconds))
  })
}

/**
 * Volume-weighted average price since the start of each period, from the typical price of each bar
 * of trades. Bars without trades carry the value; null before a period's first trade.
 * @param periodOf the period of a time in Unix seconds
 */
export function volumeWeightedMeans(
  bars: readonly (TradedBar | null)[],
  periodOf: (time: number) => number,
): BarValues {
  let [period, value, volume] = [NaN, 0, 0]
  return bars.map((bar) => {
    if (bar !== null && bar.volume !== null && bar.volume > 0) {
      const now = periodOf(bar.time)
      if (now !== period) [period, value, volume] = [now, 0, 0]
      value += ((bar.high + bar.low + bar.close) / 3) * bar.volume
      volume += bar.volume
    }
    return volume === 0 ? null : value / volume
  })
}

const DAY_SECONDS = 86_400
/** 1970-01-01 was a Thursday; weeks start on Monday. */
const MONDAY_OFFSET = 3

/** The period of VWAP: the UTC day for bars below an hour, the week below a day, else the month. */
export function vwapPeriod(barSeconds: number): (time: number) => number {
  if (barSeconds < 3_600) return (time) => Math.floor(time / DAY_SECONDS)
  if (barSeconds < DAY_SECONDS) {
    return (time) => Math.floor((Math.floor(time / DAY_SECONDS) + MONDAY_OFFSET) / 7)
  }
  return (time) => {
    const day = new Date(time * 1000)
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth())
  }
}

/** Volume that traded within a range of prices. */
export interface PriceBucket {
  /** Lower end, cents. */
  readonly from: number
  readonly to: number
  readonly volume: number
  /** Within the value area: the buckets around the largest one that hold 70 % of the volume. */
  readonly isValue: boolean
}

const VALUE_SHARE = 0.7

/** Volume by price; a bar's volume is spread evenly between its low and its high. */
export function volumeProfile(
  bars: readonly (TradedBar | null)[],
  step: number,
): readonly PriceBucket[] {
  const volumes = new Map<number, number>()
  for (const bar of bars) {
    if (bar === null || bar.volume === null || bar.volume <= 0) continue
    const first = Math.floor(bar.low / step)
    const last = Math.floor(bar.high / step)
    const share = bar.volume / (last - first + 1)
    for (let index = first; index <= last; index += 1) {
      volumes.set(index, (volumes.get(index) ?? 0) + share)
    }
  }
  if (volumes.size === 0) return []
  const value = valueArea(volumes)
  return [...volumes]
    .sort(([left], [right]) => left - right)
    .map(([index, volume]) => ({
      from: index * step,
      to: (index + 1) * step,
      volume,
      isValue: value.low <= index && index <= value.high,
    }))
}

/** Grows from the largest bucket towards the larger neighbour until it holds its share. */
function valueArea(volumes: ReadonlyMap<number, number>): { low: number; high: number } {
  const all = [...volumes]
  const total = all.reduce((sum, [, volume]) => sum + volume, 0)
  const [peak, max] = all.reduce((best, next) => (next[1] > best[1] ? next : best))
  const indexes = all.map(([index]) => index)
  const [min, last] = [Math.min(...indexes), Math.max(...indexes)]
  let [low, high, areaVolume] = [peak, peak, max]
  while (areaVolume < total * VALUE_SHARE && (low > min || high < last)) {
    const volumeBelow = low > min ? (volumes.get(low - 1) ?? 0) : -1
    const volumeAbove = high < last ? (volumes.get(high + 1) ?? 0) : -1
    if (volumeAbove >= volumeBelow) high += 1
    else low -= 1
    areaVolume += Math.max(volumeAbove, volumeBelow)
  }
  return { low, high }
}
