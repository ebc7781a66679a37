import type { Usage } from '../../../backend/contract/accounts.ts'
import { formatNumber } from '../../lib/format.ts'

const DAY = 86_400_000

/** A day of UTC as a number of days since the epoch, and back. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY)
export const dayText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

export interface UsageDay {
  readonly day: number
  readonly requests: number
  readonly errors: number
}

/** Every day of the period, ascending; days without an entry had no request. */
export function everyDay({ from, to, byDay }: Pick<Usage, 'from' | 'to' | 'byDay'>): UsageDay[] {
  const countsByDay = new Map(byDay.map(({ date, ...counts }) => [dayNumber(date), counts]))
  const days = [...countsByDay.keys()]
  const first = Math.min(dayNumber(from.slice(0, 10)), ...days)
  const last = Math.max(dayNumber(to.slice(0, 10)), ...days)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const day = first + index
    const { requests, errors } = countsByDay.get(day) ?? { requests: 0, errors: 0 }
    return { day, requests, errors }
  })
}

/** The days in one sentence. */
export function daysSentence(days: readonly UsageDay[]): string {
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const busiest = days.reduce<UsageDay | null>(
    (max, day) => (max === null || day.requests > max.requests ? day : max),
    null,
  )
  if (busiest === null || total === 0) return 'No requests in this period.'
  const span = days.length === 1 ? 'one day' : `${days.length} days`
  return `${formatNumber(total, 0)} requests in ${span}, most on ${dayText(busiest.day)} with ${formatNumber(busiest.requests, 0)}.`
}
