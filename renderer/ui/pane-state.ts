import type { ApiFailure } from '../api/client.ts'
import { formatClock } from '../lib/format.ts'

/** Not an error: the first result is being computed. */
export const isNotReady = ({ code }: ApiFailure): boolean => code === 'NOT_READY'

/** An error as one sentence with its code: `Venue A did not answer (502).` */
export function sentenceOf(failure: ApiFailure): string {
  if (failure.kind === 'limited') return 'Limit reached.'
  if (isNotReady(failure)) return 'The first result is being computed.'
  const statusOrCode = failure.status ?? failure.code
  const message = failure.message.replace(/\.$/, '')
  return statusOrCode === null || message.includes(String(statusOrCode))
    ? `${message}.`
    : `${message} (${statusOrCode}).`
}

/** When the page retries: seconds for a short wait, the clock time for a rate limit. */
export function waitText(
  nextTryAt: number | null,
  now: number,
  kind: ApiFailure['kind'] | null,
): string {
  if (nextTryAt === null || nextTryAt === Infinity) return ''
  if (kind === 'limited') return `Continues at ${formatClock(nextTryAt)}.`
  const seconds = Math.ceil((nextTryAt - now) / 1000)
  return seconds <= 0 ? 'Trying again.' : `Trying again in ${seconds} s.`
}
