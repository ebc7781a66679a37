import type {
  AlertChannel,
  AlertCondition,
  AlertRule,
  AlertState,
  WatchedKind,
  WatchedObject,
} from '../../domain/alerts/alert-rule.ts'
import { ITEM_CONDITIONS, type AlertItem } from '../../domain/alerts/alert-item.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import type { RowPosition } from '../../http/request/list-page.ts'
import { deliveryOf, insertDelivery } from '../../state/delivery-rows.ts'
import type { EventOutbox, NamedTarget } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { rowsAfter } from '../../state/rows-after.ts'

type WatchedState = WatchedObject['state']

export interface RuleFilter {
  readonly state: AlertState | null
  readonly objectId: string | null
  readonly condition: AlertCondition | null
  readonly channel: AlertChannel | null
}
export interface DeliveryFilter {
  readonly ruleId: string | null
  readonly endpointId: string | null
  readonly status: Delivery['status'] | null
  readonly event: string | null
  readonly channel: AlertChannel | null
  readonly since: Millis | null
}

type Table = 'watched_object' | 'alert_rule' | 'delivery'

const columnsOf = (object: WatchedObject) => ({
  id: object.id,
  user_id: object.userId,
  kind: object.kind,
  ref: object.ref,
  state: object.state,
  record: JSON.stringify(object),
  created_at: object.createdAt,
})
const columnsOfRule = (rule: AlertRule) => ({
  id: rule.id,
  user_id: rule.userId,
  object_id: rule.objectId,
  state: rule.state,
  condition: rule.condition,
  channel: rule.channel,
  record: JSON.stringify(rule),
  created_at: rule.createdAt,
})
/** Watched objects, alert rules and deliveries of users. */
export function createWatchStore(state: State, outbox: EventOutbox) {
  /** A user's rows of a table, newest first, after a place. */
  const rowsOf = (table: Table, userId: string, after: RowPosition | null, max: number) => {
    const query = state.selectFrom(table).select('record').where('user_id', '=', userId)
    return rowsAfter(query, ['created_at', 'id'], after).limit(max)
  }
  const ownedRow = async <T>(table: Table, userId: string, id: string): Promise<T | null> => {
    const row = await state
      .selectFrom(table)
      .select('record')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row === undefined ? null : (JSON.parse(row.record) as T)
  }
  const parseRecords = <T>(rows: readonly { record: string }[]): T[] =>
    rows.map(({ record }) => JSON.parse(record) as T)
  const remove = async (table: Table, userId: string, id: string): Promise<boolean> => {
    const { numDeletedRows } = await state
      .deleteFrom(table)
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
  return {
    object: (userId: string, id: string) => ownedRow<WatchedObject>('watched_object', userId, id),
    async objectOf(userId: string, kind: WatchedKind, ref: string): Promise<WatchedObject | null> {
      const row = await state
        .selectFrom('watched_object')
        .select('record')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('ref', '=', ref)
        .executeTakeFirst()
      return row === undefined ? null : (JSON.parse(row.record) as WatchedObject)
    },
    /** Tickers of the markets that a user watches now. */
    async watchedMarkets(userId: string): Promise<Ticker[]> {
      const rows = await state
        .selectFrom('watched_object')
        .select('ref')
        .where('user_id', '=', userId)
        .where('kind', '=', 'market')
        .where('state', '=', 'active')
        .execute()
      return rows.map(({ ref }) => ref)
    },
    async objects(
      userId: string,
      filter: { readonly kind: WatchedKind | null; readonly state: WatchedState | null },
      after: RowPosition | null,
      max: number,
    ): Promise<WatchedObject[]> {
      let query = rowsOf('watched_object', userId, after, max)
      if (filter.kind !== null) query = query.where('kind', '=', filter.kind)
      if (filter.state !== null) query = query.where('state', '=', filter.state)
      return parseRecords(await query.execute())
    },
    rule: (userId: string, id: string) => ownedRow<AlertRule>('alert_rule', userId, id),
    async rules(
      userId: string,
      filter: RuleFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<AlertRule[]> {
      let query = rowsOf('alert_rule', userId, after, max)
      if (filter.state !== null) query = query.where('state', '=', filter.state)
      if (filter.objectId !== null) query = query.where('object_id', '=', filter.objectId)
      if (filter.condition !== null) query = query.where('condition', '=', filter.condition)
      if (filter.channel !== null) query = query.where('channel', '=', filter.channel)
      return parseRecords(await query.execute())
    },
    async rulesOf(objectId: string): Promise<AlertRule[]> {
      const query = state.selectFrom('alert_rule').select('record')
      const rows = await query
        .where('object_id', '=', objectId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return parseRecords(rows)
    },
    /** Active rules of all users. */
    async activeRules(): Promise<AlertRule[]> {
      const query = state.selectFrom('alert_rule').select('record').where('state', '=', 'active')
      return parseRecords(await query.execute())
    },
    async deliveries(
      userId: string,
      filter: DeliveryFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<Delivery[]> {
      let query = rowsOf('delivery', userId, after, max)
      if (filter.ruleId !== null) query = query.where('rule_id', '=', filter.ruleId)
      if (filter.status !== null) query = query.where('status', '=', filter.status)
      if (filter.event !== null) query = query.where('event', '=', filter.event)
      if (filter.channel !== null) query = query.where('channel', '=', filter.channel)
      if (filter.since !== null) query = query.where('created_at', '>=', filter.since)
      if (filter.endpointId !== null) query = query.where('endpoint_id', '=', filter.endpointId)
      return (await query.execute()).map(deliveryOf)
    },
    async count(table: 'watched_object' | 'alert_rule', userId: string): Promise<number> {
      const { count } = await state
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },
    /** Writes an object and a rule, each added or replaced, in one transaction. */
    put: (object: WatchedObject | null, rule: AlertRule | null): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        if (object !== null) {
          const columns = columnsOf(object)
          await transaction
            .insertInto('watched_object')
            .values(columns)
            .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
            .execute()
        }
        if (rule !== null) {
          const columns = columnsOfRule(rule)
          await transaction
            .insertInto('alert_rule')
            .values(columns)
            .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
            .execute()
        }
      }),
    /**
     * Writes the next state of a rule, its notice, the event's deliveries and the item that it fired
     * for in one transaction.
     * Returns false and writes nothing when the rule is gone or the same firing was written before.
     */
    fire: (
      rule: AlertRule,
      notice: Delivery | null,
      event: OutgoingEvent | null,
      target?: NamedTarget,
      item?: Pick<AlertItem, 'id' | 'at'>,
    ): Promise<boolean> =>
      state.transaction().execute(async (transaction) => {
        if (item !== undefined) {
          await transaction
            .insertInto('alert_item')
            .values({ rule_id: rule.id, item_id: item.id, at: item.at })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        }
        if (notice !== null && !(await insertDelivery(transaction, notice, null))) return false
        if (event !== null && !(await outbox.publish(transaction, event, target))) return false
        const { numUpdatedRows } = await transaction
          .updateTable('alert_rule')
          .set(columnsOfRule(rule))
          .where('id', '=', rule.id)
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n
      }),
    /** Active rules of all users that fire for items. */
    async activeItemRules(): Promise<AlertRule[]> {
      const query = state.selectFrom('alert_rule').select('record').where('state', '=', 'active')
      return parseRecords(
        await query.where('condition', 'in', Object.keys(ITEM_CONDITIONS)).execute(),
      )
    },
    /** Ids of the items that a rule fired for or suppressed. */
    async itemsOf(ruleId: string): Promise<ReadonlySet<string>> {
      const query = state.selectFrom('alert_item').select('item_id').where('rule_id', '=', ruleId)
      return new Set((await query.execute()).map(({ item_id: id }) => id))
    },
    async deleteItemsBefore(time: Millis): Promise<void> {
      await state.deleteFrom('alert_item').where('at', '<', time).execute()
    },
    addNotice: (notice: Delivery): Promise<unknown> =>
      state.transaction().execute((transaction) => insertDelivery(transaction, notice, null)),
    /** Email address of a user; null without. */
    async emailOf(userId: string): Promise<string | null> {
      const query = state.selectFrom('account').select('email').where('id', '=', userId)
      return (await query.executeTakeFirst())?.email ?? null
    },
    /** Active and paused rules that name an endpoint. */
    async rulesOfEndpoint(userId: string, endpointId: string): Promise<AlertRule[]> {
      const query = state.selectFrom('alert_rule').select('record').where('user_id', '=', userId)
      const rows = await query
        .where('channel', '=', 'webhook')
        .where('state', '!=', 'archived')
        .execute()
      return parseRecords<AlertRule>(rows).filter((rule) => rule.endpointId === endpointId)
    },
    removeObject: (userId: string, id: string) => remove('watched_object', userId, id),
    removeRule: (userId: string, id: string) => remove('alert_rule', userId, id),
  }
}
export type WatchStore = ReturnType<typeof createWatchStore>
