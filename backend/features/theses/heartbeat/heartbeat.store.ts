import type { Heartbeat } from '../../../domain/theses/heartbeat.ts'
import type { Millis } from '../../../domain/units.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { insertDelivery } from '../../../state/delivery-rows.ts'
import type { State } from '../../../state/open.ts'

/** Schedules of the scheduled evaluations. */
export function createHeartbeatStore(state: State) {
  return {
    async byThesisId(thesisId: string): Promise<{
      readonly heartbeat: Heartbeat
      readonly nextRunAt: Millis | null
    } | null> {
      const row = await state
        .selectFrom('thesis_heartbeat')
        .select(['record', 'next_run_at'])
        .where('thesis_id', '=', thesisId)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        heartbeat: JSON.parse(row.record) as Heartbeat,
        nextRunAt: row.next_run_at as Millis | null,
      }
    },
    /** @param notice a notice in the terminal that is written with it */
    async put(
      heartbeat: Heartbeat,
      nextRunAt: Millis | null,
      notice: Delivery | null = null,
    ): Promise<void> {
      const row = {
        thesis_id: heartbeat.thesisId,
        record: JSON.stringify(heartbeat),
        next_run_at: nextRunAt,
      }
      await state.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('thesis_heartbeat')
          .values(row)
          .onConflict((conflict) => conflict.column('thesis_id').doUpdateSet(row))
          .execute()
        if (notice !== null) await insertDelivery(transaction, notice, null)
      })
    },
    /** Active theses whose run is due, longest overdue first. */
    async due(now: Millis, max: number): Promise<{ thesisId: string; userId: string }[]> {
      return state
        .selectFrom('thesis_heartbeat')
        .innerJoin('thesis', 'thesis.id', 'thesis_heartbeat.thesis_id')
        .select(['thesis_id as thesisId', 'user_id as userId'])
        .where('thesis.status', '=', 'active')
        .where('next_run_at', '<=', now)
        .orderBy('next_run_at')
        .limit(max)
        .execute()
    },
  }
}
export type HeartbeatStore = ReturnType<typeof createHeartbeatStore>
