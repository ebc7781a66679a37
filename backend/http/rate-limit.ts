import { isIPv6 } from 'node:net'

/** Classes of contract/reads.md 0.6; `off` is not counted. */
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
  | 'data-240'
  | 'data-120'
  | 'off'

/** Requests a minute: without and with credentials. */
export const RATE_LIMITS: Readonly<
  Record<Exclude<RateClass, 'off'>, { readonly anonymous: number; readonly known: number }>
> = {
  general: { anonymous: 120, known: 600 },
  query: { anonymous: 10, known: 60 },
  'query-econ': { anonymous: 30, known: 30 },
  'query-gov': { anonymous: 10, known: 10 },
  guide: { anonymous: 10, known: 10 },
  discuss: { anonymous: 5, known: 5 },
  enrich: { anonymous: 10, known: 10 },
  calibration: { anonymous: 30, known: 30 },
  databento: { anonymous: 10, known: 30 },
  mcp: { anonymous: 120, known: 600 },
  auth: { anonymous: 20, known: 20 },
  'data-240': { anonymous: 240, known: 240 },
  'data-120': { anonymous: 120, known: 120 },
}

export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window ends. */
  readonly resetIn: number
}

/** Counts requests by class and key; the check and the count are one step. */
export interface RateLimiter {
  take(rateClass: string, key: string, limit: number): RateDecision
}

const WINDOW = 60_000
const MOST_KEYS = 50_000

interface Window {
  openedAt: number
  used: number
}

/**
 * Fixed windows of 60 s in memory, on a timer that only grows. A window opens with its first
 * counted request; a refused request does not count. Ended windows are dropped as the map fills;
 * when every window is live the oldest goes, so memory stays bounded.
 */
export function createRateLimiter(monotonic: () => number): RateLimiter {
  const windows = new Map<string, Window>()
  const makeRoom = (now: number) => {
    for (const [key, window] of windows) if (now - window.openedAt >= WINDOW) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size < MOST_KEYS) break
      windows.delete(key)
    }
  }
  return {
    take(rateClass, key, limit) {
      const now = monotonic()
      const name = `${rateClass} ${key}`
      let window = windows.get(name)
      if (window === undefined || now - window.openedAt >= WINDOW) {
        if (window !== undefined) windows.delete(name)
        else if (windows.size >= MOST_KEYS) makeRoom(now)
        window = { openedAt: now, used: 0 }
        windows.set(name, window)
      }
      const allowed = window.used < limit
      if (allowed) window.used += 1
      const resetIn = WINDOW - (now - window.openedAt)
      return { allowed, limit, remaining: limit - window.used, resetIn }
    },
  }
}

/** What an anonymous caller is counted by: IPv4 as is, IPv4-mapped as IPv4, IPv6 by /64. */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
