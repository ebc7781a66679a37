import { DEFAULT_CONFIG, type PortfolioConfig } from '../../domain/portfolio/config.ts'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'

/** A user's stored portfolio. */
export interface PortfolioRecord {
  readonly config: PortfolioConfig
  /** Whether the user configured it; else these are the defaults. */
  readonly isConfigured: boolean
  readonly haltedAt: Millis | null
  readonly haltReason: 'drawdown' | 'user' | null
  readonly paperEpoch: number
  readonly epochBeganAt: Millis | null
  /** The last report, as `state` serves it. */
  readonly report: Readonly<Record<string, unknown>> | null
  readonly createdAt: Millis | null
  readonly updatedAt: Millis | null
}

export type PortfolioChange = Partial<
  Pick<PortfolioRecord, 'config' | 'haltedAt' | 'haltReason' | 'report'>
>

export interface PortfolioStore {
  /** The defaults for a user without a stored portfolio. */
  of(userId: string): Promise<PortfolioRecord>
  change(userId: string, change: PortfolioChange, at: Millis): Promise<PortfolioRecord>
  /** Resets paper trading; returns the number of the new epoch. */
  beginPaper(userId: string, at: Millis): Promise<number>
}

const UNWRITTEN: PortfolioRecord = {
  config: DEFAULT_CONFIG,
  isConfigured: false,
  haltedAt: null,
  haltReason: null,
  paperEpoch: 0,
  epochBeganAt: null,
  report: null,
  createdAt: null,
  updatedAt: null,
}

export function createPortfolioStore(state: State): PortfolioStore {
  const of = async (from: State, userId: string): Promise<PortfolioRecord> => {
    const row = await from
      .selectFrom('portfolio')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (row === undefined) return UNWRITTEN
    const isConfigured = row.is_configured === 1
    return {
      config: { ...DEFAULT_CONFIG, ...(JSON.parse(row.config) as Partial<PortfolioConfig>) },
      isConfigured,
      haltedAt: row.halted_at as Millis | null,
      haltReason: row.halt_reason as PortfolioRecord['haltReason'],
      paperEpoch: row.paper_epoch,
      epochBeganAt: row.epoch_began_at as Millis | null,
      report: row.report === null ? null : (JSON.parse(row.report) as Record<string, unknown>),
      createdAt: isConfigured ? (row.created_at as Millis) : null,
      updatedAt: isConfigured ? (row.updated_at as Millis) : null,
    }
  }
  return {
    of: (userId) => of(state, userId),
    change: (userId, { config, haltedAt, haltReason, report }, at) =>
      state.transaction().execute(async (transaction) => {
        await ensureRow(transaction, userId, at)
        await transaction
          .updateTable('portfolio')
          .set({
            ...(config !== undefined && {
              config: JSON.stringify(config),
              is_configured: 1,
              updated_at: at,
            }),
            ...(haltedAt !== undefined && { halted_at: haltedAt }),
            ...(haltReason !== undefined && { halt_reason: haltReason }),
            ...(report !== undefined && { report: JSON.stringify(report) }),
          })
          .where('user_id', '=', userId)
          .execute()
        return of(transaction, userId)
      }),
    beginPaper: (userId, at) =>
      state.transaction().execute(async (transaction) => {
        await ensureRow(transaction, userId, at)
        const { paper_epoch: epoch } = await transaction
          .updateTable('portfolio')
          .set(({ eb }) => ({ paper_epoch: eb('paper_epoch', '+', 1), epoch_began_at: at }))
          .where('user_id', '=', userId)
          .returning('paper_epoch')
          .executeTakeFirstOrThrow()
        return epoch
      }),
  }
}

/** Creates the row that numbers a user's ledger entries, if missing. */
export async function ensureRow(state: State, userId: string, at: Millis): Promise<void> {
  await state
    .insertInto('portfolio')
    .values({
      user_id: userId,
      config: '{}',
      is_configured: 0,
      halted_at: null,
      halt_reason: null,
      paper_epoch: 0,
      epoch_began_at: null,
      last_seq: 0,
      report: null,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}
