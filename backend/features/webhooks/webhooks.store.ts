import { sql } from 'kysely'
import { SECOND, type Millis } from '../../domain/units.ts'
import {
  endDelivery,
  ENDPOINT_DELETED,
  ENDPOINT_PAUSED,
  INTERRUPTED,
  MAX_RETRY_AFTER,
  type AttemptResult,
  type Delivery,
} from '../../domain/webhooks/delivery.ts'
import {
  HEALTH_WINDOW,
  storedEndpoint,
  type EndpointState,
  type EndpointStats,
  type WebhookEndpoint,
} from '../../domain/webhooks/endpoint.ts'
import type { RowPosition } from '../../http/request/list-page.ts'
import { deliveryColumns, deliveryOf, insertDelivery } from '../../state/delivery-rows.ts'
import { listOf } from '../../state/many-rows.ts'
import type { State } from '../../state/open.ts'
import type { WebhookAttemptTable } from '../../state/webhook-schema.ts'
import { rowsAfter } from '../../state/rows-after.ts'

export interface EndpointDeliveryFilter {
  readonly status: Delivery['status'] | null
  readonly event: string | null
  readonly since: Millis | null
}

/** Due deliveries read of one endpoint; two of them may be in flight already. */
const MAX_DUE_PER_ENDPOINT = 4

const columnsOf = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  user_id: endpoint.userId,
  label: endpoint.label,
  url: endpoint.url,
  state: endpoint.state,
  record: JSON.stringify(endpoint),
  created_at: endpoint.createdAt,
})

/** Webhook endpoints, and the deliveries and attempts to them. */
export function createWebhooksStore(state: State) {
  const endDeliveries = async (
    transaction: State,
    endpointId: string,
    error: string,
    now: Millis,
  ): Promise<void> => {
    const rows = await transaction
      .selectFrom('delivery')
      .select('record')
      .where('endpoint_id', '=', endpointId)
      .where('status', '=', 'pending')
      .execute()
    for (const delivery of rows.map(deliveryOf)) {
      await transaction
        .updateTable('delivery')
        .set(deliveryColumns(endDelivery(delivery, error, now)))
        .where('id', '=', delivery.id)
        .execute()
    }
  }
  const writeEndpoint = async (transaction: State, endpoint: WebhookEndpoint): Promise<void> => {
    await transaction
      .updateTable('webhook_endpoint')
      .set(columnsOf(endpoint))
      .where('id', '=', endpoint.id)
      .execute()
  }
  return {
    async endpoint(userId: string | null, id: string): Promise<WebhookEndpoint | null> {
      let query = state.selectFrom('webhook_endpoint').select('record').where('id', '=', id)
      if (userId !== null) query = query.where('user_id', '=', userId)
      const row = await query.executeTakeFirst()
      return row === undefined ? null : storedEndpoint(row)
    },
    /** A user's endpoints, newest first. */
    async endpoints(
      userId: string,
      stateFilter: EndpointState | null,
      after: RowPosition | null,
      max: number,
    ): Promise<WebhookEndpoint[]> {
      let query = state
        .selectFrom('webhook_endpoint')
        .select('record')
        .where('user_id', '=', userId)
      if (stateFilter !== null) query = query.where('state', '=', stateFilter)
      const rows = await rowsAfter(query, ['created_at', 'id'], after).limit(max).execute()
      return rows.map(storedEndpoint)
    },
    /** All endpoints of a user. */
    async allOf(userId: string): Promise<WebhookEndpoint[]> {
      const query = state.selectFrom('webhook_endpoint').select('record')
      return (await query.where('user_id', '=', userId).execute()).map(storedEndpoint)
    },
    /** Endpoints of all users that are not paused. */
    async notPaused(): Promise<WebhookEndpoint[]> {
      const query = state.selectFrom('webhook_endpoint').select('record')
      return (await query.where('state', '!=', 'paused').execute()).map(storedEndpoint)
    },
    async count(userId: string): Promise<number> {
      const { count } = await state
        .selectFrom('webhook_endpoint')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },
    async hasName(userId: string, label: string, url: string, otherThan: string): Promise<boolean> {
      const row = await state
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('user_id', '=', userId)
        .where('label', '=', label)
        .where('url', '=', url)
        .where('id', '!=', otherThan)
        .executeTakeFirst()
      return row !== undefined
    },
    async add(endpoint: WebhookEndpoint): Promise<void> {
      await state.insertInto('webhook_endpoint').values(columnsOf(endpoint)).execute()
    },
    /** Writes an endpoint; when it is paused, its pending deliveries end in the same transaction. */
    change: (
      endpoint: WebhookEndpoint,
      now: Millis,
      notice: Delivery | null = null,
    ): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await writeEndpoint(transaction, endpoint)
        if (notice !== null) await insertDelivery(transaction, notice, null)
        if (endpoint.state === 'paused') {
          await endDeliveries(transaction, endpoint.id, ENDPOINT_PAUSED, now)
        }
      }),
    remove: (userId: string, id: string, now: Millis): Promise<boolean> =>
      state.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('webhook_endpoint')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return false
        await endDeliveries(transaction, id, ENDPOINT_DELETED, now)
        return true
      }),

    async stats(endpoint: WebhookEndpoint, now: Millis): Promise<EndpointStats> {
      const from = Math.max(now - HEALTH_WINDOW, endpoint.windowFrom)
      const { rows } = await sql<EndpointStats>`
        with counted as (
          select delivery_id, n, status,
                 row_number() over (partition by delivery_id order by n desc) as recency
            from webhook_attempt
           where endpoint_id = ${endpoint.id} and started_at >= ${from}
             and duration_ms is not null and is_test = 0
        )
        select count(*) as attempts,
               count(case when status between 200 and 299 then 1 end) as delivered,
               count(case when status >= 500 then 1 end) as http5xx,
               count(case when status is null then 1 end) as networkErrors,
               count(case when recency = 1 then 1 end) as deliveries,
               count(case when recency = 1 and status >= 500 then 1 end) as deliveries5xx
          from counted`.execute(state)
      const [counts] = rows
      if (counts === undefined) throw new Error('a count without a row')
      return counts
    },

    /** @param endpointId null for a message to a person */
    async delivery(endpointId: string | null, id: string) {
      const row = await state
        .selectFrom('delivery')
        .select(['record', 'body'])
        .where('id', '=', id)
        .where('endpoint_id', endpointId === null ? 'is' : '=', endpointId)
        .executeTakeFirst()
      return row === undefined ? null : { delivery: deliveryOf(row), body: row.body ?? '{}' }
    },
    async deliveries(
      endpointId: string,
      filter: EndpointDeliveryFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<Delivery[]> {
      let query = state
        .selectFrom('delivery')
        .select('record')
        .where('endpoint_id', '=', endpointId)
      if (filter.status !== null) query = query.where('status', '=', filter.status)
      if (filter.event !== null) query = query.where('event', '=', filter.event)
      if (filter.since !== null) query = query.where('created_at', '>=', filter.since)
      const rows = await rowsAfter(query, ['created_at', 'id'], after).limit(max).execute()
      return rows.map(deliveryOf)
    },
    /** Failed deliveries of a time, oldest first. */
    async failed(endpointId: string, since: Millis, until: Millis, max: number) {
      const rows = await state
        .selectFrom('delivery')
        .select('record')
        .where('endpoint_id', '=', endpointId)
        .where('status', '=', 'failed')
        .where('created_at', '>=', since)
        .where('created_at', '<=', until)
        .orderBy('created_at')
        .orderBy('id')
        .limit(max)
        .execute()
      return rows.map(deliveryOf)
    },
    async attempts(deliveryId: string): Promise<WebhookAttemptTable[]> {
      const query = state.selectFrom('webhook_attempt').selectAll()
      return query.where('delivery_id', '=', deliveryId).orderBy('n').execute()
    },
    async insert(delivery: Delivery, body: string): Promise<void> {
      await state.transaction().execute(async (transaction) => {
        await insertDelivery(transaction, delivery, body)
      })
    },
    async write(deliveries: readonly Delivery[]): Promise<void> {
      await state.transaction().execute(async (transaction) => {
        for (const delivery of deliveries) {
          await transaction
            .updateTable('delivery')
            .set(deliveryColumns(delivery))
            .where('id', '=', delivery.id)
            .execute()
        }
      })
    },

    /**
     * Due deliveries, the oldest of each endpoint and of a user's messages on a channel first. A wait that a clock set back would have
     * lengthened counts from now.
     */
    async due(
      now: Millis,
      fullQueues: readonly string[] = [],
    ): Promise<{ delivery: Delivery; body: string }[]> {
      await this.shortenWaits(now)
      const { rows } = await sql<{ record: string; body: string | null }>`
        select record, body from delivery where id in (
          select id from (
            select id,
                   row_number() over (
                     partition by coalesce(endpoint_id, channel || ':' || user_id)
                     order by due_at, id
                   ) as place
              from delivery
             where status = 'pending' and due_at <= ${now}
               and coalesce(endpoint_id, channel || ':' || user_id) not in ${listOf(fullQueues)}
          ) where place <= ${MAX_DUE_PER_ENDPOINT}
        ) order by due_at, id`.execute(state)
      return rows.map((row) => ({ delivery: deliveryOf(row), body: row.body ?? '{}' }))
    },
    async shortenWaits(now: Millis): Promise<void> {
      const rows = await state
        .selectFrom('delivery')
        .select('record')
        .where('status', '=', 'pending')
        .where('due_at', '>', now + SECOND)
        .where(sql<boolean>`due_at > ${now} + json_extract(record, '$.waitMs')`)
        .execute()
      for (const delivery of rows.map(deliveryOf)) {
        const waitMs = Math.min(delivery.waitMs, MAX_RETRY_AFTER)
        await this.write([{ ...delivery, nextAttemptAt: (now + waitMs) as Millis }])
      }
    },
    /** When the next pending delivery is due; null without one. */
    async nextDue(): Promise<Millis | null> {
      const row = await state
        .selectFrom('delivery')
        .select(({ fn }) => fn.min('due_at').as('due'))
        .where('status', '=', 'pending')
        .executeTakeFirst()
      return (row?.due ?? null) as Millis | null
    },
    /** Stores that an attempt starts, before its request. */
    openAttempt: (delivery: Delivery, startedAt: Millis): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('delivery')
          .set(deliveryColumns(delivery))
          .where('id', '=', delivery.id)
          .execute()
        await transaction
          .insertInto('webhook_attempt')
          .values({
            delivery_id: delivery.id,
            n: delivery.attempts,
            endpoint_id: delivery.endpointId ?? '',
            started_at: startedAt,
            duration_ms: null,
            status: null,
            error: null,
            response_excerpt: null,
            is_test: delivery.isTest ? 1 : 0,
          })
          .execute()
      }),
    /** Stores the result of an attempt with the next states of its delivery and endpoint. */
    closeAttempt: (
      delivery: Delivery,
      result: AttemptResult,
      endpoint: WebhookEndpoint | null,
      notice: Delivery | null,
      now: Millis,
    ): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('webhook_attempt')
          .set({
            duration_ms: result.durationMs,
            status: result.status,
            error: result.error,
            response_excerpt: result.responseExcerpt,
          })
          .where('delivery_id', '=', delivery.id)
          .where('n', '=', delivery.attempts)
          .execute()
        await transaction
          .updateTable('delivery')
          .set(deliveryColumns(delivery))
          .where('id', '=', delivery.id)
          .execute()
        if (notice !== null) await insertDelivery(transaction, notice, null)
        if (endpoint === null) return
        await writeEndpoint(transaction, endpoint)
        if (endpoint.state === 'paused') {
          await endDeliveries(transaction, endpoint.id, ENDPOINT_PAUSED, now)
        }
      }),
    /**
     * Ends attempts that a stop of the service cut off. Deliveries whose last attempt it was have
     * failed; the others follow their schedule.
     */
    endInterrupted: (now: Millis): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        const open = await transaction
          .selectFrom('webhook_attempt')
          .innerJoin('delivery', 'delivery.id', 'webhook_attempt.delivery_id')
          .select(['delivery.record', 'delivery.status as deliveryStatus', 'webhook_attempt.n'])
          .where('webhook_attempt.duration_ms', 'is', null)
          .execute()
        for (const row of open) {
          const delivery = deliveryOf(row)
          await transaction
            .updateTable('webhook_attempt')
            .set({ duration_ms: 0, error: INTERRUPTED })
            .where('delivery_id', '=', delivery.id)
            .where('n', '=', row.n)
            .execute()
          if (row.deliveryStatus !== 'pending') continue
          const isLast = delivery.waitMs === 0
          const next = isLast
            ? endDelivery(delivery, INTERRUPTED, now)
            : { ...delivery, lastError: INTERRUPTED }
          await transaction
            .updateTable('delivery')
            .set(deliveryColumns(next))
            .where('id', '=', next.id)
            .execute()
        }
        // Tests whose only attempt never started.
        const untriedRows = await transaction
          .selectFrom('delivery')
          .select('record')
          .where('status', '=', 'pending')
          .where('due_at', 'is', null)
          .execute()
        for (const delivery of untriedRows.map(deliveryOf)) {
          await transaction
            .updateTable('delivery')
            .set(deliveryColumns(endDelivery(delivery, INTERRUPTED, now)))
            .where('id', '=', delivery.id)
            .execute()
        }
      }),
    /** Removes deliveries that ended before a time, with their bodies and attempts. */
    async deleteBefore(time: Millis): Promise<void> {
      await state
        .deleteFrom('delivery')
        .where('status', '!=', 'pending')
        .where('created_at', '<', time)
        .execute()
    },
  }
}
export type WebhooksStore = ReturnType<typeof createWebhooksStore>
