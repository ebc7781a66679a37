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
  | 'calibration'
  | 'databento'
  | 'mcp'
  | 'auth'
  | 'cli-poll'
  | 'panel-run'
  | 'way-out'
  | 'data-240'
  | 'data-120'
  | 'off'

export type CountedClass = Exclude<RateClass, 'off'>

/** What a class allows a minute, and what it counts by. */
export interface RateLimit {
  /** Requests without and with credentials; the general class of known callers goes by tier. */
  readonly anonymous: number
  readonly known: number
  /**
   * Whose requests are counted together: those of a `caller` (a key, or a user by session; an
   * address where nobody is known), of a `user` with all keys and sessions, or of an `address`
   * whoever asks from there.
   */
  readonly by: 'caller' | 'user' | 'address'
  /** Requests for one subject, beside the others: what the route's `subject` word finds. */
  readonly bySubject?: number
  /** Seconds to wait in place of the rest of the window. */
  readonly retryAfter?: number
}

const alike = (requests: number, by: RateLimit['by']) => ({
  ...{ anonymous: requests, known: requests, by },
})

export const RATE_LIMITS: Readonly<Record<CountedClass, RateLimit>> = {
  general: { anonymous: 120, known: 600, by: 'user' },
  query: { anonymous: 10, known: 60, by: 'caller' },
  'query-econ': alike(30, 'caller'),
  'query-gov': alike(10, 'caller'),
  guide: { ...alike(10, 'address'), retryAfter: 60 },
  discuss: alike(5, 'caller'),
  enrich: alike(10, 'caller'),
  calibration: alike(30, 'caller'),
  databento: { anonymous: 10, known: 30, by: 'caller' },
  mcp: { anonymous: 120, known: 600, by: 'caller' },
  auth: alike(20, 'address'),
  'cli-poll': { ...alike(300, 'address'), bySubject: 60 },
  'panel-run': alike(60, 'user'),
  // Beside the general class: a stolen key that fills it cannot keep its user from revoking it.
  'way-out': alike(60, 'caller'),
  'data-240': alike(240, 'caller'),
  'data-120': alike(120, 'caller'),
}

/** One window: a class, whom it counts, and how many requests fit in. */
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

/** A window that has begun and not ended. */
export interface RateStanding {
  readonly limit: number
  readonly used: number
  /** Milliseconds until it ends. */
  readonly resetIn: number
}

/** Counts requests by class and key; the check and the count are one step. */
export interface RateLimiter {
  take(rateClass: string, key: string, limit: number): RateDecision
  /** Counts in all of these windows or in none; tells of the one that refuses, else of the fullest. */
  takeAll(windows: readonly RateWindow[]): RateDecision
  /** Null where nothing was counted within the last minute. */
  standing(rateClass: string, key: string): RateStanding | null
}

const WINDOW = 60_000
const MOST_KEYS = 50_000
/** What is left of them when they are too many and none has ended. */
const ROOM = 45_000

interface Window {
  readonly openedAt: number
  limit: number
  used: number
}

/**
 * Fixed windows of 60 s in memory, on a timer that only grows. A window opens with its first
 * counted request; a refused request does not count. Ended windows are dropped as the map fills;
 * when every window is live the oldest go, so memory stays bounded.
 */
export function createRateLimiter(monotonic: () => number): RateLimiter {
  // In the order in which they opened: those that ended stand in front.
  const windows = new Map<string, Window>()
  const nameOf = (rateClass: string, key: string): string => `${rateClass} ${key}`
  const live = (name: string, now: number): Window | null => {
    const window = windows.get(name)
    return window !== undefined && now - window.openedAt < WINDOW ? window : null
  }
  /** Drops many at once: a map whose first entries go one by one is slow to find the next. */
  const makeRoom = (now: number): void => {
    for (const [name, window] of windows) {
      if (now - window.openedAt < WINDOW && windows.size <= ROOM) return
      windows.delete(name)
    }
  }
  const open = (name: string, limit: number, now: number): Window => {
    if (!windows.delete(name) && windows.size >= MOST_KEYS) makeRoom(now)
    const window = { openedAt: now, limit, used: 0 }
    windows.set(name, window)
    return window
  }
  const decision = (window: Window, limit: number, now: number, allowed: boolean) => ({
    ...{ allowed, limit, remaining: Math.max(0, limit - window.used) },
    resetIn: WINDOW - (now - window.openedAt),
  })
  const counted = (window: Window, limit: number, now: number): RateDecision => {
    window.limit = limit
    window.used += 1
    return decision(window, limit, now, true)
  }
  return {
    take(rateClass, key, limit) {
      const now = monotonic()
      const name = nameOf(rateClass, key)
      const window = live(name, now)
      if (window === null) return counted(open(name, limit, now), limit, now)
      return window.used < limit ? counted(window, limit, now) : decision(window, limit, now, false)
    },
    takeAll(asked) {
      const now = monotonic()
      const all = asked.map(({ rateClass, key, limit }) => {
        const name = nameOf(rateClass, key)
        return { name, limit, window: live(name, now) }
      })
      for (const { window, limit } of all) {
        if (window !== null && window.used >= limit) return decision(window, limit, now, false)
      }
      return all
        .map(({ name, limit, window }) => counted(window ?? open(name, limit, now), limit, now))
        .reduce((fullest, next) => (next.remaining < fullest.remaining ? next : fullest))
    },
    standing(rateClass, key) {
      const now = monotonic()
      const window = live(nameOf(rateClass, key), now)
      if (window === null) return null
      const { limit, used, openedAt } = window
      return { limit, used, resetIn: WINDOW - (now - openedAt) }
    },
  }
}

/** What an anonymous caller is counted by: IPv4 as is, IPv4-mapped as IPv4, IPv6 by /64. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of an IPv6 address, however it is written; a zone is left out. */
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
