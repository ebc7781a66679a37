import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Heartbeats that a spent budget paused had no next run and were never checked again. The next pass
 * resumes them, or schedules the next month.
 */
export const pausedHeartbeats: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      UPDATE thesis_heartbeat SET next_run_at = 0
      WHERE next_run_at IS NULL AND json_extract(record, '$.pausedReason') = 'budget'
    `.execute(db)
  },
}
