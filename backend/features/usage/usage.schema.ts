import { t, type Static } from 'elysia'
import { clamp, type Param } from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { Iso, nullable, Num } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'

const MOST_DAYS = 365

/** Days up to now, as `30d`; today counts as one. */
const days = (fallback: number): Param<number> => ({
  schema: {
    type: 'string',
    default: `${fallback}d`,
    description: `<n>d, days up to today. Clamped to 1..${MOST_DAYS}.`,
  },
  read(text, name) {
    if (text === undefined) return fallback
    const count = /^(\d{1,9})d$/i.exec(text.trim())?.[1]
    if (count === undefined) throw new InvalidInput(`${name} must be days, such as 30d`)
    return clamp(Number(count), 1, MOST_DAYS)
  },
})

export const UsageQuery = query({ period: days(30) })

const count = (description?: string) => t.Integer(description === undefined ? {} : { description })

export const Usage = t.Object({
  period: t.String(),
  from: Iso,
  to: Iso,
  totals: t.Object({
    requests: count(),
    errors: count('status 500 and above'),
    rateLimited: count('status 429'),
    llmCalls: count(),
    inputTokens: count('as far as the provider of the model states them'),
    outputTokens: count('as far as the provider of the model states them'),
    costUsd: t.Number({ description: 'as far as the provider of the model states prices' }),
  }),
  byDay: t.Array(
    t.Object({
      date: t.String({ description: 'YYYY-MM-DD, UTC' }),
      ...{ requests: count(), errors: count(), costUsd: t.Number() },
    }),
    { description: 'every day of the period, ascending' },
  ),
  byRoute: t.Array(
    t.Object({
      route: t.String({ description: 'method and pattern, such as GET /api/keys' }),
      ...{ requests: count(), p50Ms: Num, p95Ms: Num },
    }),
    { description: 'most requests first; quantiles are within 5 %' },
  ),
  byKey: t.Array(
    t.Object({
      keyId: nullable(t.String({ description: 'null for sessions' })),
      ...{ name: t.String(), requests: count() },
    }),
    { description: 'most requests first, revoked keys too' },
  ),
  limits: t.Array(
    t.Object({
      class: t.String(),
      ...{ limit: count(), used: count() },
      resetAt: Iso,
    }),
    { description: 'windows of the last minute; of a class with several, the fullest' },
  ),
})
export type Usage = Static<typeof Usage>
