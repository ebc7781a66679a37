import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The index of due deliveries has all that the choice of the next ones reads: without it each of a
 * dead receiver's waiting deliveries was read, with its body, before one of a receiver that answers.
 */
export const dueDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('delivery_due').execute()
    await db.schema
      .createIndex('delivery_due')
      .on('delivery')
      .columns(['status', 'due_at', 'endpoint_id', 'channel', 'user_id', 'id'])
      .execute()
  },
}
