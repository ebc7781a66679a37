import { DAY, HOUR } from '../../units.ts'
import type { Millis } from '../../units.ts'

/** Step width in seconds by maximum span, ms; beyond the last span steps are four hours. */
const STEPS = [
  { span: 6 * HOUR, seconds: 300 },
  { span: 48 * HOUR, seconds: 900 },
  { span: 7 * DAY, seconds: 3_600 },
] as const
const WIDEST_STEP = 14_400

/** Step width in seconds of the world's history over `span`. */
export const historyStep = (span: Millis): number =>
  STEPS.find((step) => span <= step.span)?.seconds ?? WIDEST_STEP

/**
 * The last row of each step in (to − span, to], ascending. Steps are aligned to the epoch and
 * empty ones are left out. Methodology B5, C8.
 * @param rows ascending by `at`
 */
export function lastOfSteps<Row extends { readonly at: Millis }>(
  rows: readonly Row[],
  to: Millis,
  span: Millis,
  stepSeconds: number,
): Row[] {
  const lastOfStep = new Map<number, Row>()
  for (const row of rows) {
    if (row.at <= to - span || row.at > to) continue
    lastOfStep.set(Math.floor(row.at / (1_000 * stepSeconds)), row)
  }
  return [...lastOfStep.values()]
}
