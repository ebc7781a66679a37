import type { IncomingMessage } from 'node:http'
import { TIERS } from '../domain/tiers.ts'
import type { Clock } from '../lib/clock.ts'
import { RateLimited } from '../lib/errors.ts'
import type { Caller } from './auth.ts'
import { clientAddress } from './client-address.ts'
import { refusalOf } from './errors.ts'
import type { Refusal } from './errors.ts'
import { addressKey, RATE_LIMITS } from './rate-limit.ts'
import type { CountedClass, RateClass, RateDecision, RateLimiter } from './rate-limit.ts'

export interface RateCountDeps {
  readonly limiter: RateLimiter
  /** Requests a minute of the general class for everyone; null keeps the table, `off` counts none. */
  readonly fairUse: number | 'off' | null
  /** Peer whose `X-Forwarded-For` is believed. */
  readonly trustedProxy: string | null
  /** Real time, in which the end of a window is told. */
  readonly wallClock: Clock
}

/** What is counted. */
export interface Counted {
  readonly rateClass: RateClass
  readonly request: IncomingMessage
  /** Null for an anonymous request, and for one whose credential failed. */
  readonly caller: Caller | null
  /** Digest of what the request is about, where its class counts by that too. */
  readonly subject: string | null
  /** Path or pattern of the route. */
  readonly path: string
}

/** Counts a request, adding its headers; what refuses it, if anything does. */
export type CountRequest = (counted: Counted, headers: string[]) => Refusal | null

/** Paths whose refusals name their reason, for the page's sake. */
const SAYS_WHY = /^\/api\/(?:dashboard|admin\/)/

/** The classes of the contract over the windows of a limiter. */
export function createRateCount(deps: RateCountDeps): CountRequest {
  const { limiter, fairUse, wallClock } = deps
  const decide = (rateClass: CountedClass, counted: Counted): RateDecision => {
    const { caller, request, subject } = counted
    const { by, bySubject } = RATE_LIMITS[rateClass]
    const limit = (rateClass === 'general' ? numberOf(fairUse) : null) ?? limitOf(rateClass, caller)
    const key =
      caller === null || by === 'address'
        ? addressKey(clientAddress(request, deps.trustedProxy))
        : by === 'user'
          ? caller.userId
          : caller.id
    if (subject === null || bySubject === undefined) return limiter.take(rateClass, key, limit)
    return limiter.takeAll([
      { rateClass, key, limit },
      { rateClass: `${rateClass} subject`, key: subject, limit: bySubject },
    ])
  }
  return (counted, headers) => {
    const { rateClass } = counted
    if (rateClass === 'off' || (rateClass === 'general' && fairUse === 'off')) return null
    const decision = decide(rateClass, counted)
    pushRateHeaders(headers, decision, wallClock)
    if (decision.allowed) return null
    const left = Math.min(60, Math.max(1, Math.ceil(decision.resetIn / 1_000)))
    const refused = refusalOf(new RateLimited(RATE_LIMITS[rateClass].retryAfter ?? left))
    if (refused === null || !SAYS_WHY.test(counted.path)) return refused
    return { ...refused, headers: { ...refused.headers, 'x-svc-block-reason': 'rate_limited' } }
  }
}

const numberOf = (fairUse: number | 'off' | null): number | null =>
  typeof fairUse === 'number' ? fairUse : null

/** Requests a minute; in the general class by the caller's tier. */
function limitOf(rateClass: CountedClass, caller: Caller | null): number {
  if (caller === null) return RATE_LIMITS[rateClass].anonymous
  return rateClass === 'general'
    ? TIERS[caller.tier].requestsPerMinute
    : RATE_LIMITS[rateClass].known
}

function pushRateHeaders(headers: string[], decision: RateDecision, clock: Clock): void {
  const resetAt = Math.ceil((clock.now() + decision.resetIn) / 1_000)
  headers.push(
    'X-RateLimit-Limit',
    String(decision.limit),
    'X-RateLimit-Remaining',
    String(decision.remaining),
    'X-RateLimit-Reset',
    String(resetAt),
  )
}
