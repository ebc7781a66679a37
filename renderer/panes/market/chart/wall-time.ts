import { formatParts, type TimeStyle } from '../../../lib/format.ts'

const DAY = 86_400_000
const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

/** How far the clocks of the zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(at: number, style: TimeStyle): number {
  const [day = 1, month = 1, year = 0, ...time] = (
    formatParts(at, PARTS, style).match(/\d+/g) ?? []
  ).map(Number)
  return Date.UTC(year, month - 1, day, ...time) - at
}

/**
 * The instant at which the clocks of the display zone show a time: Unix milliseconds, null for a
 * text that is no time. A time that occurs twice is the first one; one that is skipped is counted
 * from before the change.
 * @param text `2026-11-20T08:00`, as a date field holds it
 */
export function instantOfWallTime(text: string, style: TimeStyle = {}): number | null {
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall)) return null
  const [before, after] = [offsetAt(wall - DAY, style), offsetAt(wall + DAY, style)]
  const early = wall - before
  if (offsetAt(early, style) === before) return early
  const late = wall - after
  return offsetAt(late, style) === after ? late : early
}
