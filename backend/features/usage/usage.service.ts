import { DAY, roundTo, type Millis } from '../../domain/units.ts'
import {
  RATE_LIMITS,
  type RateLimiter,
  type RateWindowState,
} from '../../http/limits/rate-limit.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { quantileOf } from '../../lib/latency-histogram.ts'
import { dayOf, type UsageRecorder } from './usage-recorder.ts'
import type { Usage } from '../../contract/accounts.ts'
import type { UsageStore } from './usage.store.ts'

const MAX_ROWS = 50
const SESSIONS = 'Sessions'

/** A user's requests, and the use of their rate limits. */
export interface UsageService {
  /** @param days days up to and including today */
  read(userId: string, days: number): Promise<Usage>
}

export function createUsageService(deps: {
  readonly store: UsageStore
  readonly recorder: Pick<UsageRecorder, 'flush'>
  readonly limiter: Pick<RateLimiter, 'windowOf'>
  readonly clock: Clock
}): UsageService {
  const { store, recorder, limiter, clock } = deps
  const limitsOf = async (userId: string): Promise<Usage['limits']> => {
    const ids = [userId, ...(await store.keyIds(userId))]
    const now = clock.now()
    return classesInOrder.flatMap((rateClass) => {
      const windows = ids.flatMap((id) => limiter.windowOf(rateClass, id) ?? [])
      if (windows.length === 0) return []
      const { limit, used, resetIn } = windows.reduce(fuller)
      const resetAt = isoOf(Math.ceil(now + resetIn) as Millis)
      return { class: rateClass, limit, used, resetAt }
    })
  }
  return {
    async read(userId, days) {
      await recorder.flush()
      const to = clock.now()
      const from = (dayOf(to) - (days - 1) * DAY) as Millis
      const totals = await store.totals(userId, from)
      const byDay = new Map((await store.byDay(userId, from)).map((row) => [row.day, row]))
      const routes = await store.byRoute(userId, from, MAX_ROWS)
      const keys = await store.byKey(userId, from, MAX_ROWS)
      return {
        period: `${days}d`,
        from: isoOf(from),
        to: isoOf(to),
        totals: {
          requests: totals.requests,
          errors: totals.errors,
          rateLimited: totals.rateLimited,
          llmCalls: totals.modelCalls,
          inputTokens: totals.inputTokens,
          outputTokens: totals.outputTokens,
          costUsd: dollars(totals.costUsd),
        },
        byDay: Array.from({ length: days }, (_, index) => {
          const day = (from + index * DAY) as Millis
          const { requests = 0, errors = 0, costUsd = 0 } = byDay.get(day) ?? {}
          const date = isoOf(day).slice(0, 10)
          return { date, requests, errors, costUsd: dollars(costUsd) }
        }),
        byRoute: routes.map(({ route, requests, latencies }) => ({
          route,
          requests,
          p50Ms: milliseconds(quantileOf(latencies, 0.5)),
          p95Ms: milliseconds(quantileOf(latencies, 0.95)),
        })),
        byKey: keys.map(({ keyId, name, requests }) => ({
          keyId,
          name: keyId === null ? SESSIONS : (name ?? keyId),
          requests,
        })),
        limits: await limitsOf(userId),
      }
    },
  }
}

/** Classes counted by user or key: general first, then by name. */
const classesInOrder = [
  'general',
  ...Object.entries(RATE_LIMITS)
    .filter(([name, { by }]) => name !== 'general' && by !== 'address')
    .map(([name]) => name)
    .sort(),
]

const fuller = (a: RateWindowState, b: RateWindowState): RateWindowState =>
  b.used / b.limit > a.used / a.limit ? b : a

const dollars = (amount: number): number => roundTo(amount, 6)
const milliseconds = (elapsedMs: number | null): number | null =>
  elapsedMs === null ? null : roundTo(elapsedMs, elapsedMs < 1 ? 3 : 1)
