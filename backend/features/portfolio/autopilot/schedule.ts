import { Cron } from 'croner'
import type { PortfolioRecord } from '../portfolio.store.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../../domain/units.ts'

/** Zone of every schedule, independent of the machine's. */
export const SCHEDULE_ZONE = 'America/Los_Angeles'
/** Shortest time between two runs. */
const MIN_GAP = 5 * MINUTE
/** Runs that one request of the parser returns. */
const CHUNK = 256

const HOUR_OF_ZONE = new Intl.DateTimeFormat('en-US', {
  timeZone: SCHEDULE_ZONE,
  hour: 'numeric',
  hourCycle: 'h23',
})
/** Whether the clocks of the zone show this hour for the second time, in the night of autumn. */
const isRepeated = (at: Millis): boolean =>
  HOUR_OF_ZONE.format(at) === HOUR_OF_ZONE.format(at - HOUR)

const runsOf = (expression: string, timezone: string, after: number, max: number): Millis[] =>
  new Cron(expression, { paused: true, mode: '5-part', timezone })
    .nextRuns(max, new Date(after))
    .map((run) => run.getTime() as Millis)

/** Problems by expression: a schedule is checked each minute and rarely changed. */
const problems = new Map<string, string | null>()
const MAX_PROBLEMS = 1_000

/** The error of a cron expression; null for a valid one. */
export function cronProblem(expression: string): string | null {
  const existing = problems.get(expression)
  if (existing !== undefined) return existing
  if (problems.size >= MAX_PROBLEMS) problems.clear()
  const problem = problemOf(expression)
  problems.set(expression, problem)
  return problem
}

function problemOf(expression: string): string | null {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== 5) return 'must have five fields'
  if (!fields.every((field) => /^[\d*/,-]+$/.test(field))) {
    return 'must have numbers, not names, in its fields'
  }
  const [minute = '', hour = '', ...days] = fields
  try {
    if (runsOf(expression, SCHEDULE_ZONE, 0, 1).length === 0) return 'never runs'
    const runsOfDay = runsOf(`${minute} ${hour} * * *`, 'UTC', -1, DAY / MIN_GAP + 1)
    const [first = 0 as Millis] = runsOfDay
    const timesOfDay = runsOfDay.filter((at) => at < DAY)
    const last = timesOfDay.at(-1) ?? first
    const isClose = timesOfDay.some((at, n) => n > 0 && at - (timesOfDay[n - 1] ?? 0) < MIN_GAP)
    const isOverMidnight = first + DAY - last < MIN_GAP && runsOnConsecutiveDays(days)
    if (isClose || isOverMidnight) return 'must leave at least 5 minutes between runs'
  } catch {
    return 'has a field out of range'
  }
  return null
}

function runsOnConsecutiveDays(days: readonly string[]): boolean {
  const runsOfYear = runsOf(`0 0 ${days.join(' ')}`, 'UTC', -1, 366)
  return runsOfYear.some((at, n) => n > 0 && at - (runsOfYear[n - 1] ?? 0) === DAY)
}

/** The next scheduled times after an instant. */
export function slotsAfter(expression: string, after: Millis, max: number): Millis[] {
  const slots: Millis[] = []
  let from = after
  while (slots.length < max) {
    const runs = runsOf(expression, SCHEDULE_ZONE, from, Math.min(CHUNK, max + 2))
    const last = runs.at(-1)
    if (last === undefined) break
    slots.push(...runs.filter((at) => !isRepeated(at)))
    from = last
  }
  return slots.slice(0, max)
}

/** The scheduled times after one instant and up to another: their number, and the newest. */
export function slotsUntil(
  expression: string,
  after: Millis,
  until: Millis,
): { readonly count: number; readonly newest: Millis | null } {
  let [count, from] = [0, after]
  let newest: Millis | null = null
  const [first] = slotsAfter(expression, after, 1)
  // Mostly nothing is due, and a run of the parser costs a tenth of a millisecond.
  if (first === undefined || first > until) return { count, newest }
  for (;;) {
    const runs = slotsAfter(expression, from, CHUNK)
    const dueRuns = runs.filter((at) => at <= until)
    count += dueRuns.length
    newest = dueRuns.at(-1) ?? newest
    if (dueRuns.length < CHUNK) return { count, newest }
    from = newest ?? until
  }
}

/** The next runs of a portfolio; none while it is disabled. */
export function nextRuns(
  { config, lastSlot }: Pick<PortfolioRecord, 'config' | 'lastSlot'>,
  now: Millis,
  max: number,
): Millis[] {
  if (!config.enabled || cronProblem(config.cronExpression) !== null) return []
  return slotsAfter(config.cronExpression, Math.max(now, lastSlot ?? 0) as Millis, max)
}
