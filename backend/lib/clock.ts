import type { Millis } from '../domain/units.ts'

/** The source of time. Nothing else in the backend reads the wall clock. */
export interface Clock {
  /** Data time: real or replayed. */
  now(): Millis
  /** Monotonic milliseconds, for timeouts, windows and latencies. */
  monotonic(): number
  /** Resolves after `span` of this clock; rejects with the signal's reason when aborted. */
  sleep(span: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now() as Millis,
  monotonic: () => performance.now(),
  sleep: (span, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const abort = () => {
        clearTimeout(timer)
        reject(reasonOf(signal))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, span)
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

/** The reason of an aborted signal, as an error. */
export const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error('aborted')

/** Sleeps for `span`; returns false instead of throwing when the signal aborts first. */
export const sleepUnless = (signal: AbortSignal, clock: Clock, span: number): Promise<boolean> =>
  clock.sleep(span, signal).then(
    () => true,
    () => false,
  )

/** The last text: rows of one answer repeat their instants. */
let lastIso: { readonly at: number; readonly text: string } = { at: Number.NaN, text: '' }

/** ISO 8601 UTC with milliseconds. */
export function isoOf(at: Millis): string {
  if (lastIso.at !== at) lastIso = { at, text: new Date(at).toISOString() }
  return lastIso.text
}
