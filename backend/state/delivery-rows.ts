import type { Transaction } from 'kysely'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { StateSchema } from './schema.ts'

/** The columns of a delivery; its body is written once, when it is inserted. */
export const deliveryColumns = (delivery: Delivery) => ({
  id: delivery.id,
  user_id: delivery.userId,
  rule_id: delivery.ruleId,
  event: delivery.event ?? '',
  status: delivery.status,
  channel: delivery.channel,
  endpoint_id: delivery.endpointId,
  due_at: delivery.nextAttemptAt,
  dedupe_key: delivery.dedupeKey,
  record: JSON.stringify(delivery),
  created_at: delivery.createdAt,
})

/** Fields that rows of versions without webhooks lack. */
const WITHOUT_WEBHOOKS = {
  endpointId: null,
  attemptsBefore: 0,
  nextAttemptAt: null,
  waitMs: 0,
  lastStatus: null,
  replayOf: 0,
}

export const deliveryOf = ({ record }: { readonly record: string }): Delivery => ({
  ...WITHOUT_WEBHOOKS,
  ...(JSON.parse(record) as Delivery),
})

/**
 * Inserts a delivery in the transaction of its event. Returns false and inserts nothing when the
 * same firing of a rule was written before.
 */
export async function insertDelivery(
  transaction: Transaction<StateSchema>,
  delivery: Delivery,
  body: string | null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: addedCount = 0n } = await transaction
    .insertInto('delivery')
    .values({ ...deliveryColumns(delivery), body })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .executeTakeFirst()
  return addedCount > 0n
}
