import { boundedText } from '../../domain/text/bounded-text.ts'
import type { Millis } from '../../domain/units.ts'
import { UNFINISHED_STATES } from '../../domain/job-state.ts'
import type { JobRecord, JobStore } from '../../lib/job-queue.ts'
import type { JobState } from '../../domain/job-state.ts'
import type { State } from '../../state/open.ts'
import type { BacktestRunTable } from '../../state/schema.ts'
import type { RangedBacktest } from '../../contract/backtests.ts'
import { rowsAfter } from '../../state/rows-after.ts'
import type { RowPosition } from '../../http/request/list-page.ts'

/** A stored backtest; it outlives the process that ran it. */
export interface BacktestRecord extends JobRecord {
  readonly userId: string
  readonly strategy: string
  readonly request: RangedBacktest
  readonly createdAt: Millis
  /** Not stored while the run is in progress; 1 when it is done. */
  readonly progress: number
  /** JSON; null until it is done. */
  readonly report: string | null
  readonly error: string | null
}

export interface BacktestsStore extends JobStore<BacktestRecord> {
  /** Runs of a user, newest first, after a position. */
  runsOfUser(userId: string, after: RowPosition | null, max: number): Promise<BacktestRecord[]>
  /** Number of a user's runs that are queued or running. */
  countUnfinished(userId: string): Promise<number>
  /**
   * Marks runs as failed that were queued or running when the process ended; returns their number.
   */
  failUnfinished(endedAt: Millis): Promise<number>
}

/** Longest stored error, characters; earlier versions stored errors whole. */
export const ERROR_LIMIT = 4_000

const boundedError = (error: string | null): string | null =>
  error === null ? null : boundedText(error, ERROR_LIMIT)

export function createBacktestsStore(state: State): BacktestsStore {
  const rowOf = (record: BacktestRecord) => ({
    state: record.state,
    report: record.report,
    error: boundedError(record.error),
    started_at: record.startedAt,
    ended_at: record.endedAt,
  })
  return {
    async find(id) {
      const row = await state
        .selectFrom('backtest_run')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : recordOf(row)
    },
    async add(record, createdAt) {
      const { id, userId, strategy, request } = record
      await state
        .insertInto('backtest_run')
        .values({
          id,
          user_id: userId,
          strategy,
          request: JSON.stringify(request),
          ...rowOf(record),
          created_at: createdAt,
        })
        .execute()
    },
    async save(record) {
      await state
        .updateTable('backtest_run')
        .set(rowOf(record))
        .where('id', '=', record.id)
        .execute()
    },
    async runsOfUser(userId, after, max) {
      const query = state.selectFrom('backtest_run').selectAll().where('user_id', '=', userId)
      const runRows = await rowsAfter(query, ['created_at', 'id'], after).limit(max).execute()
      return runRows.map(recordOf)
    },
    async countUnfinished(userId) {
      const { count } = await state
        .selectFrom('backtest_run')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('state', 'in', UNFINISHED_STATES)
        .executeTakeFirstOrThrow()
      return count
    },
    async failUnfinished(endedAt) {
      const { numUpdatedRows } = await state
        .updateTable('backtest_run')
        .set({ state: 'failed', error: 'The service stopped', ended_at: endedAt })
        .where('state', 'in', UNFINISHED_STATES)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

function recordOf(row: BacktestRunTable): BacktestRecord {
  return {
    id: row.id,
    userId: row.user_id,
    strategy: row.strategy,
    report: row.report,
    state: row.state as JobState,
    error: boundedError(row.error),
    progress: row.state === 'done' ? 1 : 0,
    request: JSON.parse(row.request) as RangedBacktest,
    createdAt: row.created_at as Millis,
    startedAt: row.started_at as Millis | null,
    endedAt: row.ended_at as Millis | null,
  }
}
