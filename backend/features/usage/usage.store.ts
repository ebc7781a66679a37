import type { Selectable } from 'kysely'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import type { UsageDayTable } from '../../state/schema.ts'
import {
  emptyHistogram,
  histogramOf,
  histogramText,
  mergeInto,
  type Histogram,
} from '../../lib/latency-histogram.ts'

/** Requests of one credential to one route within a UTC day. */
export interface UsageTally {
  readonly userId: string
  /** Null for sessions. */
  readonly keyId: string | null
  /** Method and pattern. */
  readonly route: string
  /** UTC midnight. */
  readonly day: Millis
  requests: number
  errors: number
  rateLimited: number
  modelCalls: number
  inputTokens: number
  outputTokens: number
  costUsd: number
  readonly latencies: Histogram
}

export interface UsageTotals {
  readonly requests: number
  readonly errors: number
  readonly rateLimited: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

export interface UsageStore {
  /** Adds to the stored counts atomically; tallies of removed users are left out. */
  add(tallies: readonly UsageTally[]): Promise<void>
  deleteBefore(day: Millis): Promise<void>
  totals(userId: string, from: Millis): Promise<UsageTotals>
  /** Days with requests, ascending. */
  byDay(
    userId: string,
    from: Millis,
  ): Promise<readonly (Pick<UsageTotals, 'requests' | 'errors' | 'costUsd'> & { day: Millis })[]>
  /** Most requests first, then by name. */
  byRoute(
    userId: string,
    from: Millis,
    max: number,
  ): Promise<readonly { route: string; requests: number; latencies: Histogram }[]>
  /** Most requests first, then by id; revoked keys keep their name. */
  byKey(
    userId: string,
    from: Millis,
    max: number,
  ): Promise<readonly { keyId: string | null; name: string | null; requests: number }[]>
  /** Ids of all keys a user ever had. */
  keyIds(userId: string): Promise<string[]>
}

export function createUsageStore(state: State): UsageStore {
  const rowsOf = (userId: string, from: Millis) =>
    state.selectFrom('usage_day').where('usage_day.user_id', '=', userId).where('day', '>=', from)
  return {
    add: (tallies) =>
      state.transaction().execute(async (transaction) => {
        const users = await transaction
          .selectFrom('account')
          .select('id')
          .where('id', 'in', [...new Set(tallies.map(({ userId }) => userId))])
          .execute()
        const present = new Set(users.map(({ id }) => id))
        for (const tally of tallies) {
          if (!present.has(tally.userId)) continue
          const row = rowOf(tally)
          const usageRows = await transaction
            .selectFrom('usage_day')
            .selectAll()
            .where('user_id', '=', row.user_id)
            .where('key_id', '=', row.key_id)
            .where('route', '=', row.route)
            .where('day', '=', row.day)
            .executeTakeFirst()
          const sum = usageRows === undefined ? row : sumOf(usageRows, row)
          await transaction
            .insertInto('usage_day')
            .values(sum)
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'key_id', 'route', 'day']).doUpdateSet(sum),
            )
            .execute()
        }
      }),
    async deleteBefore(day) {
      await state.deleteFrom('usage_day').where('day', '<', day).execute()
    },
    async totals(userId, from) {
      const row = await rowsOf(userId, from)
        .select(({ fn }) => [
          fn.sum<number | null>('requests').as('requests'),
          fn.sum<number | null>('errors').as('errors'),
          fn.sum<number | null>('rate_limited').as('rateLimited'),
          fn.sum<number | null>('model_calls').as('modelCalls'),
          fn.sum<number | null>('input_tokens').as('inputTokens'),
          fn.sum<number | null>('output_tokens').as('outputTokens'),
          fn.sum<number | null>('cost_usd').as('costUsd'),
        ])
        .executeTakeFirstOrThrow()
      return {
        requests: row.requests ?? 0,
        errors: row.errors ?? 0,
        rateLimited: row.rateLimited ?? 0,
        modelCalls: row.modelCalls ?? 0,
        inputTokens: row.inputTokens ?? 0,
        outputTokens: row.outputTokens ?? 0,
        costUsd: row.costUsd ?? 0,
      }
    },
    async byDay(userId, from) {
      const rows = await rowsOf(userId, from)
        .select(({ fn }) => [
          'day',
          fn.sum<number>('requests').as('requests'),
          fn.sum<number>('errors').as('errors'),
          fn.sum<number>('cost_usd').as('costUsd'),
        ])
        .groupBy('day')
        .orderBy('day')
        .execute()
      return rows.map((row) => ({ ...row, day: row.day as Millis }))
    },
    async byRoute(userId, from, max) {
      const top = await rowsOf(userId, from)
        .select(({ fn }) => ['route', fn.sum<number>('requests').as('requests')])
        .groupBy('route')
        .orderBy('requests', 'desc')
        .orderBy('route')
        .limit(max)
        .execute()
      const latencies = new Map<string, Histogram>(
        top.map(({ route }) => [route, emptyHistogram()]),
      )
      const rows = await rowsOf(userId, from)
        .select(['route', 'latencies'])
        .where('route', 'in', [...latencies.keys()])
        .execute()
      for (const row of rows) {
        const histogram = latencies.get(row.route)
        if (histogram !== undefined) mergeInto(histogram, histogramOf(row.latencies))
      }
      return top.flatMap((row) => {
        const histogram = latencies.get(row.route)
        return histogram === undefined ? [] : { ...row, latencies: histogram }
      })
    },
    async byKey(userId, from, max) {
      const rows = await rowsOf(userId, from)
        .leftJoin('access_key', 'access_key.id', 'usage_day.key_id')
        .select(({ fn }) => [
          'usage_day.key_id as keyId',
          'access_key.name as name',
          fn.sum<number>('requests').as('requests'),
        ])
        .groupBy(['usage_day.key_id', 'access_key.name'])
        .orderBy('requests', 'desc')
        .orderBy('usage_day.key_id')
        .limit(max)
        .execute()
      return rows.map((row) => ({ ...row, keyId: row.keyId === '' ? null : row.keyId }))
    },
    async keyIds(userId) {
      const rows = await state
        .selectFrom('access_key')
        .select('id')
        .where('user_id', '=', userId)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

const rowOf = (tally: UsageTally): Selectable<UsageDayTable> => ({
  user_id: tally.userId,
  key_id: tally.keyId ?? '',
  route: tally.route,
  day: tally.day,
  requests: tally.requests,
  errors: tally.errors,
  rate_limited: tally.rateLimited,
  model_calls: tally.modelCalls,
  input_tokens: tally.inputTokens,
  output_tokens: tally.outputTokens,
  cost_usd: tally.costUsd,
  latencies: histogramText(tally.latencies),
})

/** Merges two records of the same row. */
function sumOf(
  row: Selectable<UsageDayTable>,
  usage: Selectable<UsageDayTable>,
): Selectable<UsageDayTable> {
  const latencies = histogramOf(row.latencies)
  mergeInto(latencies, histogramOf(usage.latencies))
  return {
    ...usage,
    requests: row.requests + usage.requests,
    errors: row.errors + usage.errors,
    rate_limited: row.rate_limited + usage.rate_limited,
    model_calls: row.model_calls + usage.model_calls,
    input_tokens: row.input_tokens + usage.input_tokens,
    output_tokens: row.output_tokens + usage.output_tokens,
    cost_usd: row.cost_usd + usage.cost_usd,
    latencies: histogramText(latencies),
  }
}
