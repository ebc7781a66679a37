/** How the page receives changes now. */
export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Retried at `until`, in the service's time; panes poll meanwhile. */
  | { readonly kind: 'waiting'; readonly until: number; readonly reason: LossReason }
  /** Not retried soon: panes poll. */
  | { readonly kind: 'polling'; readonly reason: LossReason }

export type LossReason =
  'stopping' | 'signed-out' | 'too-many' | 'slow' | 'silent' | 'misunderstood' | 'refused' | 'lost'

/** The consequence of a closed connection: when the next attempt is made, and why it waits. */
export interface Backoff {
  readonly reason: LossReason
  /** Milliseconds until the next try. */
  readonly wait: number
  /** Whether the wait is short enough for a countdown. */
  readonly isShort: boolean
}

const SECOND = 1_000
const MAX_BACKOFF = 30 * SECOND
const SIGNED_OUT_WAIT = 300 * SECOND
const TOO_MANY_WAIT = 60 * SECOND
/** Consecutive failed handshakes after which the service counts as refusing this window. */
const REFUSED_FROM = 3

/**
 * 1, 2, 4 … 30 s, each with up to half a step of jitter, so that pages do not reconnect at once.
 */
export const backoffOf = (failures: number, chance: number): number =>
  Math.min(MAX_BACKOFF, SECOND * 2 ** Math.max(0, failures - 1)) * (1 + chance / 2)

/**
 * When to reconnect after a close; contract/reads.md 7.5.
 * @param failures connections lost in a row, including this one
 * @param wasOpen false when the handshake failed
 */
export function backoffAfter(
  code: number,
  failures: number,
  wasOpen: boolean,
  chance: number,
): Backoff {
  const backoff = backoffOf(failures, chance)
  switch (code) {
    case 1000:
    case 1001:
      return { reason: 'stopping', wait: SECOND * (1 + chance), isShort: true }
    case 1003:
    case 1009:
    case 4400:
      return { reason: 'misunderstood', wait: Infinity, isShort: false }
    case 4401:
      return { reason: 'signed-out', wait: SIGNED_OUT_WAIT, isShort: false }
    case 4408:
      return { reason: 'silent', wait: backoff, isShort: true }
    case 4413:
      return { reason: 'slow', wait: backoff, isShort: true }
    case 4429:
      return { reason: 'too-many', wait: TOO_MANY_WAIT * (1 + chance / 6), isShort: true }
  }
  const reason = !wasOpen && failures >= REFUSED_FROM ? 'refused' : 'lost'
  return { reason, wait: backoff, isShort: true }
}
