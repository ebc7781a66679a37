import { DAY, HOUR, MINUTE } from '../units.ts'
import type { Millis } from '../units.ts'

/** Widest span, ms, that a step in seconds draws; beyond the last one steps are four hours. */
const STEPS = [
  { span: 6 * HOUR, seconds: 300 },
  { span: 48 * HOUR, seconds: 900 },
  { span: 7 * DAY, seconds: 3_600 },
] as const
const WIDEST_STEP = 14_400

/** Seconds a step of the world's history over `span`. */
export const historyStep = (span: Millis): number =>
  STEPS.find((step) => span <= step.span)?.seconds ?? WIDEST_STEP

/** Seconds a step of the index's history: a quarter hour, an hour, a day. */
export const indexHistoryStep = (days: number): number =>
  days <= 2 ? (15 * MINUTE) / 1_000 : days <= 30 ? HOUR / 1_000 : DAY / 1_000

/**
 * The last row of each step in (to − span, to], ascending; steps are aligned to the epoch and an
 * empty one stays out. Methodology B5, C8.
 * @param rows ascending by `at`
 */
export function lastOfSteps<Row extends { readonly at: Millis }>(
  rows: readonly Row[],
  to: Millis,
  span: Millis,
  stepSeconds: number,
): Row[] {
  const kept = new Map<number, Row>()
  for (const row of rows) {
    if (row.at <= to - span || row.at > to) continue
    kept.set(Math.floor(row.at / (1_000 * stepSeconds)), row)
  }
  return [...kept.values()]
}
