import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The highest equity and the largest drawdown of the paper account, which a report of a live
 * account overwrote, and a list of live accounts: a demo's beside that of the venues.
 */
export const accountMarks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('portfolio').addColumn('peak_cents', 'integer').execute()
    await db.schema
      .alterTable('portfolio')
      .addColumn('max_drawdown_cents', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`
      UPDATE portfolio SET
        peak_cents = coalesce(
          json_extract(live_account, '$.paperPeakCents'), json_extract(report, '$.peakEquityCents')),
        max_drawdown_cents = CASE WHEN json_extract(live_account, '$.paperPeakCents') IS NULL
          THEN coalesce(json_extract(report, '$.maxDrawdownCents'), 0) ELSE 0 END
    `.execute(db)
    await sql`
      UPDATE portfolio SET live_account = json_array(json_remove(live_account, '$.paperPeakCents'))
      WHERE live_account IS NOT NULL
    `.execute(db)
  },
}
