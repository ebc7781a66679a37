import type { IncomingMessage } from 'node:http'
import { TIERS } from '../../domain/tiers.ts'
import type { Clock } from '../../lib/clock.ts'
import { RateLimited } from '../../lib/errors.ts'
import type { Caller } from '../auth/auth.ts'
import { clientAddress } from './client-address.ts'
import { refusalOf } from '../errors.ts'
import type { Refusal } from '../errors.ts'
import { addressKey, RATE_LIMITS } from './rate-limit.ts'
import type { CountedClass, RateClass, RateDecision, RateLimiter } from './rate-limit.ts'

export interface RateCountDeps {
  readonly limiter: RateLimiter
  /**
   * Requests per minute of the general class for every caller; null uses the table, `off` disables
   * the limit.
   */
  readonly fairUse: number | 'off' | null
  /** Address of the proxy whose `X-Forwarded-For` is trusted. */
  readonly trustedProxy: string | null
  /** Wall time, used to report the end of a window. */
  readonly wallClock: Clock
}

/** A request to be counted. */
export interface CountedRequest {
  readonly rateClass: RateClass
  readonly request: IncomingMessage
  /** Null for an anonymous request and for one with an invalid credential. */
  readonly caller: Caller | null
  /** Digest of the request's subject, if its class also counts by subject. */
  readonly subject: string | null
  /** Path or pattern of the route. */
  readonly path: string
}

/**
 * Counts a request and appends its rate-limit headers; returns a refusal if the limit is exceeded,
 * else null.
 */
export type CountRequest = (countedRequest: CountedRequest, headers: string[]) => Refusal | null

/** Paths whose refusals carry a `reason`, which the page reads. */
const REASON_PATHS = /^\/api\/(?:dashboard|admin\/)/

/** Applies the rate-limit classes of the contract to the windows of a limiter. */
export function createRateCount(deps: RateCountDeps): CountRequest {
  const { limiter, fairUse, wallClock } = deps
  const decide = (rateClass: CountedClass, countedRequest: CountedRequest): RateDecision => {
    const { caller, request, subject } = countedRequest
    const { by, bySubject } = RATE_LIMITS[rateClass]
    const limit = (rateClass === 'general' ? numberOf(fairUse) : null) ?? limitOf(rateClass, caller)
    const key =
      caller === null || by === 'address'
        ? addressKey(clientAddress(request, deps.trustedProxy))
        : by === 'user'
          ? caller.userId
          : caller.id
    if (subject === null || bySubject === undefined) return limiter.consume(rateClass, key, limit)
    return limiter.consumeAll([
      { rateClass, key, limit },
      { rateClass: `${rateClass} subject`, key: subject, limit: bySubject },
    ])
  }
  return (countedRequest, headers) => {
    const { rateClass } = countedRequest
    if (rateClass === 'off' || (rateClass === 'general' && fairUse === 'off')) return null
    const decision = decide(rateClass, countedRequest)
    pushRateHeaders(headers, decision, wallClock)
    if (decision.allowed) return null
    const left = Math.min(60, Math.max(1, Math.ceil(decision.resetIn / 1_000)))
    const refusal = refusalOf(new RateLimited(RATE_LIMITS[rateClass].retryAfter ?? left))
    if (refusal === null || !REASON_PATHS.test(countedRequest.path)) return refusal
    return { ...refusal, headers: { ...refusal.headers, 'x-svc-block-reason': 'rate_limited' } }
  }
}

const numberOf = (fairUse: number | 'off' | null): number | null =>
  typeof fairUse === 'number' ? fairUse : null

/** Requests per minute; in the general class by the caller's tier. */
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
