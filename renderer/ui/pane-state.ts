import type { ApiFailure } from '../api/client.ts'
import { formatClock } from '../lib/format.ts'

/** A failure as one sentence with its code: `Venue A did not answer (502).` */
export function sentenceOf(failure: ApiFailure): string {
  if (failure.kind === 'limited') return 'Limit reached.'
  const mark = failure.status ?? failure.code
  const words = failure.message.replace(/\.$/, '')
  return mark === null || words.includes(String(mark)) ? `${words}.` : `${words} (${mark}).`
}

/** When the page asks again: seconds for a short wait, the clock for a limit. */
export function waitText(
  nextTryAt: number | null,
  now: number,
  kind: ApiFailure['kind'] | null,
): string {
  if (nextTryAt === null) return ''
  if (kind === 'limited') return `Continues ${formatClock(nextTryAt)}.`
  const seconds = Math.ceil((nextTryAt - now) / 1000)
  return seconds <= 0 ? 'Trying again.' : `Trying again in ${seconds} s.`
}
