import { isIPv6 } from 'node:net'

/** Classes of contract/reads.md 0.6 and contract/accounts.md 4.1; `off` is not counted. */
export type RateClass =
  | 'general'
  | 'query'
  | 'query-econ'
  | 'query-gov'
  | 'guide'
  | 'discuss'
  | 'enrich'
  | 'forum-post'
  | 'calibration'
  | 'databento'
  | 'mcp'
  | 'auth'
  | 'cli-poll'
  | 'panel-run'
  | 'test'
  | 'thesis-model'
  | 'trigger'
  | 'revocation'
  | 'page'
  | 'data-240'
  | 'data-120'
  | 'off'

export type CountedClass = Exclude<RateClass, 'off'>

/** Requests per minute of a class, and its key. */
export interface RateLimit {
  /**
   * Limits without and with credentials; in the general class identified callers are limited by tier.
   */
  readonly anonymous: number
  readonly known: number
  /**
   * Which requests are counted together: those of a `caller` (a key, or a user's sessions; the
   * address if anonymous), of a `user` with all keys and sessions, or of an `address` regardless
   * of the caller.
   */
  readonly by: 'caller' | 'user' | 'address'
  /** Additional limit per subject; the route's `subject` policy computes the subject. */
  readonly bySubject?: number
  /** Seconds to wait, reported instead of the rest of the window. */
  readonly retryAfter?: number
}

const sameLimit = (requests: number, by: RateLimit['by']) => ({
  anonymous: requests,
  known: requests,
  by,
})

export const RATE_LIMITS: Readonly<Record<CountedClass, RateLimit>> = {
  general: { anonymous: 120, known: 600, by: 'user' },
  query: { anonymous: 10, known: 60, by: 'caller' },
  'query-econ': sameLimit(30, 'caller'),
  'query-gov': sameLimit(10, 'caller'),
  guide: { ...sameLimit(10, 'address'), retryAfter: 60 },
  discuss: sameLimit(5, 'caller'),
  enrich: sameLimit(10, 'caller'),
  // The forum counts accepted messages itself; refused ones count in the general class.
  'forum-post': sameLimit(10, 'user'),
  calibration: sameLimit(30, 'caller'),
  databento: { anonymous: 10, known: 30, by: 'caller' },
  mcp: { anonymous: 120, known: 600, by: 'caller' },
  auth: sameLimit(20, 'address'),
  'cli-poll': { ...sameLimit(300, 'address'), bySubject: 60 },
  'panel-run': sameLimit(60, 'user'),
  test: sameLimit(6, 'user'),
  // Requests that may ask a language model.
  'thesis-model': sameLimit(20, 'user'),
  // Runs of the autopilot on request.
  trigger: sameLimit(6, 'user'),
  // Separate from the general class: a stolen key that exhausts it cannot keep its user from
  // revoking the key.
  revocation: sameLimit(60, 'caller'),
  // Files of the built page, counted separately from reads: a page loads dozens of them at once.
  page: sameLimit(6_000, 'address'),
  'data-240': sameLimit(240, 'caller'),
  'data-120': sameLimit(120, 'caller'),
}

/** One window: a class, its key, and its limit. */
export interface RateWindow {
  readonly rateClass: string
  readonly key: string
  readonly limit: number
}

export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetIn: number
}

/** An open window. */
export interface RateWindowState {
  readonly limit: number
  readonly used: number
  /** Milliseconds until it ends. */
  readonly resetIn: number
}

/** Counts requests by class and key. Checking and counting are one step. */
export interface RateLimiter {
  consume(rateClass: string, key: string, limit: number): RateDecision
  /**
   * Counts in all of these windows or in none; returns the decision of the window that refuses,
   * else of the fullest one.
   */
  consumeAll(windows: readonly RateWindow[]): RateDecision
  /** The open window of a key; null if nothing was counted within the last minute. */
  windowOf(rateClass: string, key: string): RateWindowState | null
}

const WINDOW = 60_000
const MAX_KEYS = 50_000
/** Number of windows kept when the map is full and none has ended. */
const MAX_CACHED_WINDOWS = 45_000

interface Window {
  readonly openedAt: number
  limit: number
  used: number
}

/**
 * Fixed windows of 60 s in memory, on a monotonic timer. A window opens with its first counted
 * request; a refused request does not count. Ended windows are dropped when the map is full; if
 * every window is open, the oldest are dropped, so memory stays bounded.
 */
export function createRateLimiter(monotonic: () => number): RateLimiter {
  // In order of opening, so ended windows come first.
  const windows = new Map<string, Window>()
  const nameOf = (rateClass: string, key: string): string => `${rateClass} ${key}`
  const live = (name: string, now: number): Window | null => {
    const window = windows.get(name)
    return window !== undefined && now - window.openedAt < WINDOW ? window : null
  }
  /**
   * Drops many entries at once: deleting the first entries of a large map one by one makes it slow
   * to find the next.
   */
  const makeRoom = (now: number): void => {
    for (const [name, window] of windows) {
      if (now - window.openedAt < WINDOW && windows.size <= MAX_CACHED_WINDOWS) return
      windows.delete(name)
    }
  }
  const open = (name: string, limit: number, now: number): Window => {
    if (!windows.delete(name) && windows.size >= MAX_KEYS) makeRoom(now)
    const window = { openedAt: now, limit, used: 0 }
    windows.set(name, window)
    return window
  }
  const decision = (window: Window, limit: number, now: number, allowed: boolean) => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - window.used),
    resetIn: WINDOW - (now - window.openedAt),
  })
  const countRequest = (window: Window, limit: number, now: number): RateDecision => {
    window.limit = limit
    window.used += 1
    return decision(window, limit, now, true)
  }
  return {
    consume(rateClass, key, limit) {
      const now = monotonic()
      const name = nameOf(rateClass, key)
      const window = live(name, now)
      if (window === null) return countRequest(open(name, limit, now), limit, now)
      return window.used < limit
        ? countRequest(window, limit, now)
        : decision(window, limit, now, false)
    },
    consumeAll(toCount) {
      const now = monotonic()
      const all = toCount.map(({ rateClass, key, limit }) => {
        const name = nameOf(rateClass, key)
        return { name, limit, window: live(name, now) }
      })
      for (const { window, limit } of all) {
        if (window !== null && window.used >= limit) return decision(window, limit, now, false)
      }
      return all
        .map(({ name, limit, window }) =>
          countRequest(window ?? open(name, limit, now), limit, now),
        )
        .reduce((fullest, next) => (next.remaining < fullest.remaining ? next : fullest))
    },
    windowOf(rateClass, key) {
      const now = monotonic()
      const window = live(nameOf(rateClass, key), now)
      if (window === null) return null
      const { limit, used, openedAt } = window
      return { limit, used, resetIn: WINDOW - (now - openedAt) }
    },
  }
}

/** Rate-limit key of every loopback address. */
const LOOPBACK = 'loopback'

/**
 * Rate-limit key of an anonymous caller: IPv4 as is, IPv4-mapped as IPv4, IPv6 by /64. All
 * loopback addresses share one key, because a local program can choose any address of 127.0.0.0/8.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!isIPv6(address)) return keyOfIPv4(address)
  const groups = groupsOf(address)
  const isZeroUntil = (end: number): boolean => groups.slice(0, end).every((group) => group === 0)
  if (isZeroUntil(7) && groups[7] === 1) return LOOPBACK
  if (isZeroUntil(5) && groups[5] === 0xffff) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff])
    return keyOfIPv4(bytes.join('.'))
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Whether an address is a loopback address, in any spelling. */
export const isLoopback = (address: string | undefined): boolean => addressKey(address) === LOOPBACK

const keyOfIPv4 = (address: string): string => (address.startsWith('127.') ? LOOPBACK : address)

/** The eight groups of an IPv6 address in any spelling; a zone is left out. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = (address.split('%')[0] ?? '').split('::').map(groupsIn)
  if (tail === undefined) return head
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Groups of a part of an address, of which the last may be written as IPv4. */
const groupsIn = (part: string): number[] =>
  part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => {
      if (!group.includes('.')) return Number.parseInt(group, 16)
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
      return [(a << 8) | b, (c << 8) | d]
    })
