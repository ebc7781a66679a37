import type { Attribution } from '../../../backend/contract/orders/attribution.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { money } from './portfolio-labels.ts'

const DAY = 86_400_000

/** The account at the end of a UTC day, the last one now; cents. */
export interface AccountDay {
  readonly date: string
  /** Unix milliseconds. */
  readonly at: number
  /** Change of equity by trades and prices, after the fees paid. */
  readonly changeCents: number
  readonly equityCents: number
  /** Below the highest equity of the days so far. */
  readonly drawdownCents: number
}

/**
 * Equity of each day of a daily attribution, counted back from the equity now. Days without a row
 * changed nothing.
 * @param now Unix milliseconds, the end of a day that has not ended
 */
export function accountDays(
  { from, to, rows }: Pick<Attribution, 'from' | 'to' | 'rows'>,
  equityNow: number,
  now: number,
): readonly AccountDay[] {
  const changes = new Map<string, number>()
  for (const { date = '', pnlCents, openFeeDeltaCents } of rows) {
    changes.set(date, (changes.get(date) ?? 0) + pnlCents - openFeeDeltaCents)
  }
  const total = [...changes.values()].reduce((sum, change) => sum + change, 0)
  let equityCents = equityNow - total
  let highest = equityCents
  const days: AccountDay[] = []
  for (let start = Date.parse(from); start <= Date.parse(to); start += DAY) {
    const date = new Date(start).toISOString().slice(0, 10)
    const changeCents = changes.get(date) ?? 0
    equityCents += changeCents
    highest = Math.max(highest, equityCents)
    const at = Math.min(start + DAY, Math.max(now, start))
    days.push({ date, at, changeCents, equityCents, drawdownCents: highest - equityCents })
  }
  return days
}

/** A label of an axis in dollars: `$1.2k`. */
export const axisDollars = (dollars: number): string =>
  `${dollars < 0 ? '−' : ''}$${formatCount(Math.abs(dollars))}`
/** A label of an axis whose values lie close together: `$4,960`. */
const wholeDollars = (dollars: number): string => `$${formatNumber(dollars, 0)}`
const timesOf = (days: readonly AccountDay[]) => days.map(({ at }) => at / 1000)

/** Height of the axis of days below a curve, px. */
const TIMES_HEIGHT = 26

export function equityPlan(days: readonly AccountDay[]): LinesPlan {
  const values = days.map((day) => day.equityCents / 100)
  const [min, max] = [Math.min(...values), Math.max(...values)]
  // Equity that hardly changes is drawn as a nearly straight line.
  const margin = Math.max((max - min) * 0.08, max * 0.01, 1)
  return {
    times: timesOf(days),
    lines: [{ name: 'equity', values, isPrimary: true }],
    range: [min - margin, max + margin],
    valueText: wholeDollars,
    timesHeight: TIMES_HEIGHT,
  }
}

/** Drawdown with the levels of the warning and of the halt. */
export const drawdownPlan = (
  days: readonly AccountDay[],
  { warnCents, limitCents }: { readonly warnCents: number; readonly limitCents: number },
): LinesPlan => ({
  times: timesOf(days),
  lines: [
    { name: 'drawdown', values: days.map((day) => day.drawdownCents / 100), isPrimary: true },
    { name: 'warning', values: days.map(() => warnCents / 100) },
    { name: 'halt', values: days.map(() => limitCents / 100) },
  ],
  range: [
    0,
    (Math.max(limitCents, ...days.map(({ drawdownCents }) => drawdownCents)) / 100) * 1.05,
  ],
  valueText: axisDollars,
  timesHeight: TIMES_HEIGHT,
})

/** The curves in a sentence, which is their accessible name. */
export function curvesSentence(days: readonly AccountDay[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return 'No days to show'
  const deepest = Math.max(...days.map(({ drawdownCents }) => drawdownCents))
  return `Equity ${money(first.equityCents)} on ${first.date}, ${money(last.equityCents)} now; deepest drawdown at the end of a day ${money(deepest)}`
}
