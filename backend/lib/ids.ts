import { randomInt } from 'node:crypto'
import type { Millis } from '../domain/units.ts'

const TIME = 9
const COUNT = 4
const RANDOM = 7

let latest = -1
let count = 0

/**
 * `<prefix>_` and 20 characters of `[0-9a-z]`: the time, a count of the ids made at that time, and
 * random characters. So the ids of a process sort in the order they were made, also within a
 * millisecond, and lists ordered by id are stable. The randomness is the system's and not injected:
 * ids must differ even when a run is repeated.
 */
export function newId(prefix: string, now: Millis): string {
  const at = Math.trunc(now)
  count = at === latest ? count + 1 : 0
  latest = at
  const digits = (value: number, width: number): string =>
    value.toString(36).padStart(width, '0').slice(-width)
  const random = Array.from({ length: RANDOM }, () => randomInt(36).toString(36)).join('')
  return `${prefix}_${digits(at, TIME)}${digits(count, COUNT)}${random}`
}
