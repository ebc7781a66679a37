import type { Millis } from '../domain/units.ts'
import type { Clock } from './clock.ts'

/** Number of attempts and delays of a retry; times in milliseconds. */
export interface RetryPolicy {
  /** Attempts in total, including the first. */
  readonly attempts: number
  readonly firstDelay: number
  readonly factor: number
  readonly maxDelay: number
}

/** Decision about a failure: `after` is the minimum wait that the other side requested. */
export type RetryDecision =
  { readonly retry: false } | { readonly retry: true; readonly after: number | null }

/**
 * Delay before attempt `attempt + 1` (counted from 1), with equal jitter: between half and all of
 * the exponential delay, so that clients that failed together do not return together.
 * @param random a number in [0, 1)
 */
export function backoffDelay(policy: RetryPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxDelay, policy.firstDelay * policy.factor ** (attempt - 1))
  return full / 2 + (full / 2) * random
}

/** Milliseconds from `now` that a Retry-After header (seconds or a date) states; null without one. */
export function retryAfter(header: string | null, now: Millis): number | null {
  if (header === null) return null
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : null
  const span = seconds === null ? Date.parse(header) - now : seconds * 1_000
  return Number.isFinite(span) ? Math.max(0, span) : null
}

/**
 * Runs `work` until it succeeds, the attempts are used up or `decide` refuses. A wait is the longer
 * of the backoff and the requested wait.
 * @throws the last error, or the reason of a signal that aborts during a wait
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: {
    readonly policy: RetryPolicy
    readonly clock: Clock
    readonly random: () => number
    readonly signal?: AbortSignal
    readonly decide: (error: unknown) => RetryDecision
  },
): Promise<T> {
  const { policy, clock, random, signal, decide } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      const decision = decide(error)
      if (!decision.retry || attempt >= policy.attempts || signal?.aborted === true) throw error
      const delay = backoffDelay(policy, attempt, random())
      await clock.sleep(Math.max(delay, decision.after ?? 0), signal)
    }
  }
}
