import { sumOf } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'

export const TREND_LABELS = ['bull', 'bear', 'range', 'frontier', 'panic'] as const
/** Behaviour of a market's price; served as `trendLabel`, separate from the regime's label. */
export type TrendLabel = (typeof TREND_LABELS)[number]

export interface TrendParams {
  readonly youngHours: number
  readonly minTrades: number
  /**
   * Minimum changes, cents, for panic: within an hour, within a day, and within a day with a wide
   * spread.
   */
  readonly panicHour: number
  readonly panicDay: number
  readonly panicDayWide: number
  /** Multiple of its median and cents from which a spread is wide. */
  readonly wideTimes: number
  readonly wideCents: number
  /** Minimum net change over seven days, cents, and efficiency for a direction. */
  readonly minNet: number
  readonly minEfficiency: number
}
export const TREND_PARAMS: TrendParams = {
  youngHours: 72,
  minTrades: 10,
  panicHour: 15,
  panicDay: 25,
  panicDayWide: 10,
  wideTimes: 3,
  wideCents: 5,
  minNet: 5,
  minEfficiency: 0.4,
}

/** Daily marks d_0 … d_7, oldest first: each is the mark at t − 24 h × k, the last at t. */
export type DailyMarks = readonly (Cents | null)[]

/** Change of the mark over the days of `marks`; null when either end is unknown. */
export function netChange(marks: DailyMarks): number | null {
  const [first, last] = [marks[0] ?? null, marks.at(-1) ?? null]
  return first === null || last === null || marks.length < 2 ? null : roundTo(last - first, 6)
}

/**
 * Kaufman's efficiency ratio: net change over the length of the path, 0 to 1; null when a value is
 * unknown or nothing moved.
 */
export function efficiencyRatio(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null)
  if (present.length !== values.length || present.length < 2) return null
  const path = sumOf(present.slice(1).map((value, i) => Math.abs(value - (present[i] ?? value))))
  const net = Math.abs((present.at(-1) ?? 0) - (present[0] ?? 0))
  return path === 0 ? null : Math.min(1, net / path)
}

/** Inputs of the label; null is unknown. */
export interface TrendReading {
  /** Active and before its close. */
  readonly isLive: boolean
  readonly hoursSinceFirstSeen: number
  readonly trades7d: number | null
  /** A valid two-sided book now. */
  readonly twoSided: boolean
  readonly mark1hAgo: Cents | null
  readonly dailyMarks: DailyMarks
  readonly spread: Cents | null
  readonly medianSpread7d: Cents | null
}

/**
 * Trend label, the first whose condition holds: frontier (price not yet discovered), panic, bull,
 * bear, range. Conditions on unknown values are false, except that an unknown number of trades
 * counts as thin. Null for a market that is not live. Methodology A12.
 */
export function trendLabel(
  reading: TrendReading,
  params: TrendParams = TREND_PARAMS,
): TrendLabel | null {
  const { dailyMarks, mark1hAgo } = reading
  if (!reading.isLive) return null
  const isThin = (reading.trades7d ?? 0) < params.minTrades
  if (reading.hoursSinceFirstSeen < params.youngHours || isThin || !reading.twoSided) {
    return 'frontier'
  }
  const now = dailyMarks.at(-1) ?? null
  const hour = sizeOfMove(mark1hAgo, now)
  const day = sizeOfMove(dailyMarks.at(-2) ?? null, now)
  const isPanic =
    hour >= params.panicHour ||
    day >= params.panicDay ||
    (day >= params.panicDayWide && isWide(reading, params))
  if (isPanic) return 'panic'
  const [net, efficiency] = [netChange(dailyMarks) ?? 0, efficiencyRatio(dailyMarks) ?? 0]
  if (efficiency < params.minEfficiency || Math.abs(net) < params.minNet) return 'range'
  return net > 0 ? 'bull' : 'bear'
}

/** Size of a move in cents; 0 when an end is unknown, so that no threshold is met. */
const sizeOfMove = (from: Cents | null, to: Cents | null): number =>
  from === null || to === null ? 0 : roundTo(Math.abs(to - from), 6)

const isWide = ({ spread, medianSpread7d }: TrendReading, params: TrendParams): boolean =>
  spread !== null &&
  medianSpread7d !== null &&
  spread >= params.wideCents &&
  spread >= roundTo(params.wideTimes * medianSpread7d, 6)
