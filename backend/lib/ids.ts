import { randomInt } from 'node:crypto'
import type { Millis } from '../domain/units.ts'

const TIME = 9
const TAIL = 11

/**
 * `<prefix>_` and 20 characters of `[0-9a-z]`: the time, so that ids sort by it, and chance. The
 * chance is the system's and not handed in: ids must differ also where a run is repeated.
 */
export function newId(prefix: string, now: Millis): string {
  const time = Math.trunc(now).toString(36).padStart(TIME, '0')
  const tail = Array.from({ length: TAIL }, () => randomInt(36).toString(36)).join('')
  return `${prefix}_${time}${tail}`
}
