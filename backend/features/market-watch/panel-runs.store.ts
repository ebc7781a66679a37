import type { Millis } from '../../domain/units.ts'
import {
  emptyHistogram,
  histogramOf,
  histogramText,
  mergeInto,
  type Histogram,
} from '../../lib/latency-histogram.ts'
import type { State } from '../../state/open.ts'

export type RunTrigger = 'manual' | 'scheduled'

/** The result of a panel's last run. */
export interface PanelOutcome {
  /** Spec version of the run. */
  readonly specVersion: number
  /** End of the last run; null before the first. */
  readonly endedAt: Millis | null
  /** Consecutive failures. */
  readonly failures: number
  readonly lastError: {
    readonly at: Millis
    readonly reason: string
    readonly message: string
  } | null
}

/** Runs that ended within one minute with one outcome. */
export interface RunTally {
  readonly minute: Millis
  readonly trigger: RunTrigger
  readonly isSuccess: boolean
  runs: number
  readonly latencies: Histogram
}

export interface RunError {
  readonly runId: string
  readonly userId: string
  readonly panelId: string
  /** Preset or source. */
  readonly kind: string
  readonly at: Millis
  readonly reason: string
  readonly message: string
}

/** Results of runs that are written together. */
export interface RunResults {
  readonly outcomes: ReadonlyMap<string, PanelOutcome>
  readonly tallies: readonly RunTally[]
  readonly errors: readonly RunError[]
}

export interface PanelRunsStore {
  /**
   * Claims a panel for a manual run unless it was claimed less than `cooldown` ago; of two
   * concurrent claims one succeeds. A claim from the future, left by a clock that was set back, is
   * ignored.
   * @returns null when claimed, else the time of the claim in force
   */
  claim(userId: string, panelId: string, at: Millis, cooldown: Millis): Promise<Millis | null>
  /** Releases the claim of a run that did not start. */
  releaseClaim(userId: string, panelId: string, at: Millis): Promise<void>
  /** Time of the last claim of each panel of a user. */
  claimsOf(userId: string): Promise<ReadonlyMap<string, Millis>>
  outcomes(): Promise<ReadonlyMap<string, PanelOutcome>>
  /** Atomic; results of removed panels and users are left out. */
  write(notes: RunResults): Promise<void>
  /** Tallies of minutes that start at or after `from`. */
  tallies(from: Millis): Promise<RunTally[]>
  /** Errors after `from`, newest first. */
  errors(from: Millis, max: number): Promise<RunError[]>
  deleteBefore(at: Millis): Promise<void>
}

export function createPanelRunsStore(state: State): PanelRunsStore {
  return {
    async claim(userId, panelId, at, cooldown) {
      const { numInsertedOrUpdatedRows: updatedCount } = await state
        .insertInto('panel_claim')
        .values({ user_id: userId, panel_id: panelId, claimed_at: at })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'panel_id'])
            .doUpdateSet({ claimed_at: at })
            .where((eb) =>
              eb.or([
                eb('panel_claim.claimed_at', '<=', at - cooldown),
                eb('panel_claim.claimed_at', '>', at),
              ]),
            ),
        )
        .executeTakeFirstOrThrow()
      if (updatedCount === 1n) return null
      const row = await state
        .selectFrom('panel_claim')
        .select('claimed_at')
        .where('user_id', '=', userId)
        .where('panel_id', '=', panelId)
        .executeTakeFirst()
      return (row?.claimed_at ?? at) as Millis
    },
    async releaseClaim(userId, panelId, at) {
      await state
        .deleteFrom('panel_claim')
        .where('user_id', '=', userId)
        .where('panel_id', '=', panelId)
        .where('claimed_at', '=', at)
        .execute()
    },
    async claimsOf(userId) {
      const rows = await state
        .selectFrom('panel_claim')
        .select(['panel_id', 'claimed_at'])
        .where('user_id', '=', userId)
        .execute()
      return new Map(rows.map((row) => [row.panel_id, row.claimed_at as Millis]))
    },
    async outcomes() {
      const rows = await state.selectFrom('panel_outcome').selectAll().execute()
      return new Map(
        rows.map((row) => [
          row.panel_id,
          {
            specVersion: row.spec_version,
            endedAt: row.ended_at as Millis | null,
            failures: row.failures,
            lastError:
              row.failed_at === null
                ? null
                : {
                    at: row.failed_at as Millis,
                    reason: row.reason ?? '',
                    message: row.message ?? '',
                  },
          },
        ]),
      )
    },
    write: ({ outcomes, tallies, errors }) =>
      state.transaction().execute(async (transaction) => {
        const panels = await transaction
          .selectFrom('panel')
          .select('id')
          .where('id', 'in', [...outcomes.keys()])
          .execute()
        for (const { id } of panels) {
          const outcome = outcomes.get(id)
          if (outcome === undefined) continue
          const row = {
            spec_version: outcome.specVersion,
            ended_at: outcome.endedAt,
            failures: outcome.failures,
            failed_at: outcome.lastError?.at ?? null,
            reason: outcome.lastError?.reason ?? null,
            message: outcome.lastError?.message ?? null,
          }
          await transaction
            .insertInto('panel_outcome')
            .values({ panel_id: id, ...row })
            .onConflict((conflict) => conflict.column('panel_id').doUpdateSet(row))
            .execute()
        }
        for (const tally of tallies) await addTally(transaction, tally)
        const users = await transaction
          .selectFrom('account')
          .select('id')
          .where('id', 'in', [...new Set(errors.map(({ userId }) => userId))])
          .execute()
        const present = new Set(users.map(({ id }) => id))
        for (const { runId, userId, panelId, ...error } of errors) {
          if (!present.has(userId)) continue
          await transaction
            .insertInto('panel_run_error')
            .values({ run_id: runId, user_id: userId, panel_id: panelId, ...error })
            .execute()
        }
      }),
    async tallies(from) {
      const rows = await state
        .selectFrom('panel_run_minute')
        .selectAll()
        .where('minute', '>=', from)
        .execute()
      return rows.map((row) => ({
        minute: row.minute as Millis,
        trigger: row.trigger as RunTrigger,
        isSuccess: row.is_success === 1,
        runs: row.runs,
        latencies: histogramOf(row.latencies),
      }))
    },
    async errors(from, max) {
      const rows = await state
        .selectFrom('panel_run_error')
        .selectAll()
        .where('at', '>', from)
        .orderBy('at', 'desc')
        .orderBy('run_id', 'desc')
        .limit(max)
        .execute()
      return rows.map(({ run_id: runId, user_id: userId, panel_id: panelId, at, ...row }) => ({
        ...row,
        runId,
        userId,
        panelId,
        at: at as Millis,
      }))
    },
    async deleteBefore(at) {
      await state.deleteFrom('panel_run_minute').where('minute', '<', at).execute()
      await state.deleteFrom('panel_run_error').where('at', '<', at).execute()
    },
  }
}

/** Adds to the stored tally of a minute. */
async function addTally(transaction: State, tally: RunTally): Promise<void> {
  const key = {
    minute: tally.minute,
    trigger: tally.trigger,
    is_success: tally.isSuccess ? 1 : 0,
  }
  const runRow = await transaction
    .selectFrom('panel_run_minute')
    .select(['runs', 'latencies'])
    .where('minute', '=', key.minute)
    .where('trigger', '=', key.trigger)
    .where('is_success', '=', key.is_success)
    .executeTakeFirst()
  const latencies = emptyHistogram()
  mergeInto(latencies, tally.latencies)
  if (runRow !== undefined) mergeInto(latencies, histogramOf(runRow.latencies))
  const sum = { runs: tally.runs + (runRow?.runs ?? 0), latencies: histogramText(latencies) }
  await transaction
    .insertInto('panel_run_minute')
    .values({ ...key, ...sum })
    .onConflict((conflict) =>
      conflict.columns(['minute', 'trigger', 'is_success']).doUpdateSet(sum),
    )
    .execute()
}
