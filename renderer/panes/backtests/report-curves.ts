import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { formatGain, formatShare, rangeLabel } from './run-labels.ts'

/** Equity of a run at one instant. */
export interface CurvePoint {
  readonly at: number
  /** Dollars. */
  readonly equity: number
  /** Difference to the starting capital. */
  readonly profit: number
  /** Drawdown: below the highest equity so far, as a share of one, 0 or less. */
  readonly drawdown: number
  /** Exposure: cost of the positions over equity; null without equity. */
  readonly exposure: number | null
}

/** The equity curve of a report with derived series, oldest first. */
export function curveOf({ equityCurve, startCash }: RunReport): readonly CurvePoint[] {
  const { at, equity, cost } = equityCurve
  let peak = startCash
  return at.map((instant, i) => {
    const value = equity[i] ?? 0
    peak = Math.max(peak, value)
    return {
      at: instant,
      equity: value,
      profit: value - startCash,
      drawdown: peak > 0 ? value / peak - 1 : 0,
      exposure: value > 0 ? (cost[i] ?? 0) / value : null,
    }
  })
}

/** px: small plots are stacked. */
const TIMES_HEIGHT = 24

/** Dollars of an axis: whole when they are large. */
const axisDollars = (value: number): string => {
  if (Math.abs(value) >= 10_000) return formatCount(value)
  return formatNumber(value, Math.abs(value) < 10 ? 2 : 0)
}
const axisShare = (value: number): string => `${formatNumber(value, 2)}%`

const planOf = (
  points: readonly CurvePoint[],
  name: string,
  valueOf: (point: CurvePoint) => number | null,
  valueText: (value: number) => string,
): LinesPlan => ({
  times: points.map(({ at }) => at / 1_000),
  lines: [{ name, values: points.map(valueOf), isPrimary: true }],
  range: null,
  valueText,
  timesHeight: TIMES_HEIGHT,
})

export const equityPlan = (points: readonly CurvePoint[]): LinesPlan =>
  planOf(points, 'equity', ({ profit }) => profit, axisDollars)
export const drawdownPlan = (points: readonly CurvePoint[]): LinesPlan =>
  planOf(points, 'drawdown', ({ drawdown }) => drawdown * 100, axisShare)
export const exposurePlan = (points: readonly CurvePoint[]): LinesPlan =>
  planOf(
    points,
    'exposure',
    ({ exposure }) => (exposure === null ? null : exposure * 100),
    axisShare,
  )

/** The report in a sentence, which is also the accessible name of its charts. */
export const reportSentence = ({
  strategy,
  profit,
  trades,
  maxDrawdown,
  from,
  to,
}: RunReport): string =>
  `${strategy}: ${formatGain(profit)} in ${formatNumber(trades, 0)} trades, ${rangeLabel(from, to)}; ` +
  `deepest drawdown ${formatShare(Math.abs(maxDrawdown))}.`

/** A curve at other instants: its last known value, null before its first and after its last. */
function valuesAt(points: readonly CurvePoint[], times: readonly number[]): (CurvePoint | null)[] {
  let index = -1
  return times.map((time) => {
    while ((points[index + 1]?.at ?? Infinity) <= time) index += 1
    const last = points.at(-1)?.at ?? 0
    return time > last ? null : (points[index] ?? null)
  })
}

/** Both runs at one instant. */
export interface ComparedPoint {
  readonly at: number
  readonly a: CurvePoint | null
  readonly b: CurvePoint | null
}

/** Two runs at the instants of both, oldest first. */
export function comparedCurves(
  a: readonly CurvePoint[],
  b: readonly CurvePoint[],
): readonly ComparedPoint[] {
  const times = [...new Set([...a, ...b].map(({ at }) => at))].sort((left, right) => left - right)
  const [valuesA, valuesB] = [valuesAt(a, times), valuesAt(b, times)]
  return times.map((at, i) => ({ at, a: valuesA[i] ?? null, b: valuesB[i] ?? null }))
}

/** Profits of two runs, A and B. */
export const comparedPlan = (points: readonly ComparedPoint[]): LinesPlan => ({
  times: points.map(({ at }) => at / 1_000),
  lines: [
    { name: 'A', values: points.map(({ a }) => a?.profit ?? null), isPrimary: true },
    { name: 'B', values: points.map(({ b }) => b?.profit ?? null), isPrimary: true },
  ],
  range: null,
  valueText: axisDollars,
  timesHeight: TIMES_HEIGHT,
})
