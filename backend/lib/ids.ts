import type { Millis } from '../domain/units.ts'
import type { Random } from './random.ts'

const TIME = 9
const TAIL = 11

/** `<prefix>_` and 20 characters of `[0-9a-z]`: the time, so that ids sort by it, and chance. */
export function newId(prefix: string, now: Millis, random: Random): string {
  const time = Math.trunc(now).toString(36).padStart(TIME, '0')
  const tail = Array.from({ length: TAIL }, () => Math.floor(random() * 36).toString(36)).join('')
  return `${prefix}_${time}${tail}`
}
