import type { Candle } from '../../../backend/contract/market-history.ts'
import type { EvaluationPage, ServedEvaluation } from '../../../backend/contract/theses/thesis.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatProbability } from './thesis-labels.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

/** The single evaluations of a page, newest first; summaries of days are left out. */
export const evaluationsOf = (page: EvaluationPage | null): readonly ServedEvaluation[] =>
  (page?.data ?? []).flatMap((row) => ('newConfidence' in row ? [row] : []))

/** Recent evaluations and those before them, newest first in both and in the result. */
export function joinedEvaluations(
  recent: readonly ServedEvaluation[],
  earlier: readonly ServedEvaluation[],
): readonly ServedEvaluation[] {
  const ids = new Set(recent.map(({ id }) => id))
  const oldest = recent.at(-1)?.evaluatedAt
  const previous = earlier.filter(
    ({ id, evaluatedAt }) => !ids.has(id) && (oldest === undefined || evaluatedAt <= oldest),
  )
  return [...recent, ...previous]
}

/** The last value at or before each time; both ascending. */
function lastValuesAt(
  times: readonly number[],
  points: readonly { readonly at: number; readonly value: number | null }[],
): (number | null)[] {
  let next = 0
  let last: number | null = null
  return times.map((time) => {
    for (let point = points[next]; point !== undefined && point.at <= time; point = points[next]) {
      last = point.value
      next += 1
    }
    return last
  })
}

/**
 * Confidence after each evaluation and the price of a market, in percent and cents, from a day
 * before the first evaluation until now.
 * @param evaluations newest first @param candles oldest first @param now Unix seconds
 */
export function confidencePlan(
  evaluations: readonly ServedEvaluation[],
  candles: readonly Candle[],
  market: string,
  now: number,
): LinesPlan {
  const points = evaluations.toReversed().map(({ evaluatedAt, newConfidence }) => ({
    at: Math.floor(Date.parse(evaluatedAt) / 1_000),
    value: newConfidence === null ? null : newConfidence * 100,
  }))
  const from = (points[0]?.at ?? now) - DAY_S
  const prices = candles
    .map(({ t, c }) => ({ at: t + HOUR_S, value: c }))
    .filter(({ at }) => at >= from && at <= now)
  const times = [...new Set([...points, ...prices].map(({ at }) => at).concat(now))].toSorted(
    (left, right) => left - right,
  )
  return {
    times,
    window: [from, now],
    lines: [
      { name: 'Confidence', values: lastValuesAt(times, points), isPrimary: true },
      ...(prices.length === 0 ? [] : [{ name: market, values: lastValuesAt(times, prices) }]),
    ],
    range: [0, 100],
    valueText: (value) => `${value}`,
  }
}

/** The chart, in a sentence. */
export function historySentence(evaluations: readonly ServedEvaluation[]): string {
  const [newest, oldest] = [evaluations[0], evaluations.at(-1)]
  if (newest === undefined || oldest === undefined) return 'No evaluations yet'
  const count = evaluations.length === 1 ? 'One evaluation' : `${evaluations.length} evaluations`
  return `${count}; confidence from ${formatProbability(oldest.newConfidence)} to ${formatProbability(newest.newConfidence)}`
}
