import { sql } from 'kysely'
import {
  OPEN_STATUSES,
  type LiveOrder,
  type LiveOrderStatus,
} from '../../../domain/portfolio/live-order.ts'
import type { Millis } from '../../../domain/units.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import type { State } from '../../../state/open.ts'

/** Live orders of users, each written before it is sent. */
export interface LiveOrdersStore {
  /**
   * Stores an order that is about to be sent.
   * @throws an error when its decision or its id has an order already
   */
  write(order: LiveOrder): Promise<void>
  /** @throws StoreFailed when the order is no longer in the state `from` */
  put(order: LiveOrder, from: LiveOrderStatus): Promise<void>
  /** Orders that may still cost something, oldest first. */
  open(userId: string): Promise<LiveOrder[]>
  /** The orders of a tick, by decision. */
  ordersOfTick(userId: string, tickId: string): Promise<LiveOrder[]>
  /** The orders of an intent, oldest first. */
  ordersOfIntent(userId: string, intentId: string): Promise<LiveOrder[]>
  /** Every order of a user at a venue, newest first. */
  ordersAtVenue(userId: string, venue: string): Promise<LiveOrder[]>
  /** Orders to rest at a venue, written since an instant, that it did not have when it was queried. */
  missing(userId: string, since: Millis): Promise<LiveOrder[]>
  /** Users with orders that may still cost something, or with missing ones since an instant. */
  users(since: Millis): Promise<string[]>
}

const INTENT_OF_ORDER = sql<string | null>`json_extract(record, '$.intentId')`
const TIME_IN_FORCE = sql<string>`json_extract(record, '$.timeInForce')`
const WRITTEN_AT = sql<number>`json_extract(record, '$.writtenAt')`

/** @param epochOf the account whose orders are read and written */
export function createLiveOrdersStore(
  state: State,
  epochOf: () => number = () => 0,
): LiveOrdersStore {
  const rows = (userId: string) =>
    state
      .selectFrom('live_order')
      .select('record')
      .where('user_id', '=', userId)
      .where('epoch', '=', epochOf())
  return {
    async write(order) {
      const { clientOrderId, userId, tickId, decision, venue, status } = order
      await state
        .insertInto('live_order')
        .values({
          client_order_id: clientOrderId,
          user_id: userId,
          tick_id: tickId,
          decision,
          venue,
          status,
          epoch: epochOf(),
          record: JSON.stringify(order),
        })
        .execute()
    },
    async put(order, from) {
      const { numUpdatedRows } = await state
        .updateTable('live_order')
        .set({ status: order.status, record: JSON.stringify(order) })
        .where('client_order_id', '=', order.clientOrderId)
        .where('status', '=', from)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) {
        throw new StoreFailed(`order ${order.clientOrderId} is no longer ${from}`)
      }
    },
    async open(userId) {
      const orderRows = await rows(userId)
        .where('status', 'in', OPEN_STATUSES)
        .orderBy('client_order_id')
        .execute()
      return orderRows.map(orderOf)
    },
    async ordersOfTick(userId, tickId) {
      const orderRows = await rows(userId)
        .where('tick_id', '=', tickId)
        .orderBy('decision')
        .execute()
      return orderRows.map(orderOf)
    },
    async ordersOfIntent(userId, intentId) {
      const orderRows = await rows(userId)
        .where(INTENT_OF_ORDER, '=', intentId)
        .orderBy('client_order_id')
        .execute()
      return orderRows.map(orderOf)
    },
    async ordersAtVenue(userId, venue) {
      const orderRows = await rows(userId)
        .where('venue', '=', venue)
        .orderBy('client_order_id', 'desc')
        .execute()
      return orderRows.map(orderOf)
    },
    async missing(userId, since) {
      const orderRows = await rows(userId)
        .where('status', '=', 'none')
        .where(TIME_IN_FORCE, '=', 'gtc')
        .where(WRITTEN_AT, '>', since)
        .orderBy('client_order_id')
        .execute()
      return orderRows.map(orderOf)
    },
    async users(since) {
      const userRows = await state
        .selectFrom('live_order')
        .select('user_id')
        .distinct()
        .where('epoch', '=', epochOf())
        .where((eb) =>
          eb.or([
            eb('status', 'in', OPEN_STATUSES),
            eb.and([
              eb('status', '=', 'none'),
              eb(TIME_IN_FORCE, '=', 'gtc'),
              eb(WRITTEN_AT, '>', since),
            ]),
          ]),
        )
        .execute()
      return userRows.map(({ user_id: userId }) => userId)
    },
  }
}

const orderOf = ({ record }: { record: string }): LiveOrder => JSON.parse(record) as LiveOrder
