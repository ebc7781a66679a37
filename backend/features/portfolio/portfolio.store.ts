import { sql, type Transaction } from 'kysely'
import { DEFAULT_CONFIG, type PortfolioConfig } from '../../domain/portfolio/config.ts'
import { unreadAccount, type LiveAccount } from '../../domain/portfolio/live-account.ts'
import type { Millis } from '../../domain/units.ts'
import type { State } from '../../state/open.ts'
import type { StateSchema } from '../../state/schema.ts'

/** A user's stored portfolio. */
export interface PortfolioRecord {
  readonly config: PortfolioConfig
  /** Whether the user configured it; else these are the defaults. */
  readonly isConfigured: boolean
  readonly haltedAt: Millis | null
  readonly haltReason: 'drawdown' | 'user' | null
  readonly paperEpoch: number
  readonly epochBeganAt: Millis | null
  /** The last report of the paper account, as `state` serves it. */
  readonly report: Readonly<Record<string, unknown>> | null
  /** The newest scheduled time that was run or skipped. */
  readonly lastSlot: Millis | null
  /** Why the schedule could not be run; null while it runs. */
  readonly scheduleError: string | null
  /** When the cooldown began again because a halt ended. */
  readonly cooldownFrom: Millis | null
  /** Highest equity of the paper account; null before the first report. */
  readonly peakCents: number | null
  readonly maxDrawdownCents: number
  /** Since when the drawdown of the paper account is at its warning; null below it. */
  readonly warnedAt: Millis | null
  /** The accounts at exchanges, as they were last read. */
  readonly live: readonly LiveAccount[]
  readonly createdAt: Millis | null
  readonly updatedAt: Millis | null
}

export type PortfolioChange = Partial<
  Pick<
    PortfolioRecord,
    | 'config'
    | 'haltedAt'
    | 'haltReason'
    | 'report'
    | 'lastSlot'
    | 'scheduleError'
    | 'cooldownFrom'
    | 'peakCents'
    | 'maxDrawdownCents'
    | 'warnedAt'
    | 'live'
  >
>

/** Rows of other tables that belong to a change. */
export type TransactionalWrite = (transaction: Transaction<StateSchema>) => Promise<void>

export interface PortfolioStore {
  /** The defaults for a user without a stored portfolio. */
  read(userId: string): Promise<PortfolioRecord>
  /** @param extraWrite writes in the same transaction */
  change(
    userId: string,
    change: PortfolioChange,
    at: Millis,
    extraWrite?: TransactionalWrite,
  ): Promise<PortfolioRecord>
  /** Users whose autopilot is enabled. */
  scheduledPortfolios(): Promise<string[]>
  /** Users whose orders go to an exchange, or may: their stored mode is live. */
  live(): Promise<string[]>
  /** Resets paper trading; returns the number of the new epoch. */
  beginPaper(userId: string, at: Millis): Promise<number>
}

const IS_ENABLED = sql<number | null>`json_extract(config, '$.enabled')`
const EXECUTION_MODE = sql<string | null>`json_extract(config, '$.executionMode')`
const UNWRITTEN: PortfolioRecord = {
  config: DEFAULT_CONFIG,
  isConfigured: false,
  haltedAt: null,
  haltReason: null,
  paperEpoch: 0,
  epochBeganAt: null,
  report: null,
  lastSlot: null,
  scheduleError: null,
  cooldownFrom: null,
  peakCents: null,
  maxDrawdownCents: 0,
  warnedAt: null,
  live: [],
  createdAt: null,
  updatedAt: null,
}

export function createPortfolioStore(state: State): PortfolioStore {
  const read = async (from: State, userId: string): Promise<PortfolioRecord> => {
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
      lastSlot: row.last_slot as Millis | null,
      scheduleError: row.schedule_error,
      cooldownFrom: row.cooldown_from as Millis | null,
      peakCents: row.peak_cents,
      maxDrawdownCents: row.max_drawdown_cents,
      warnedAt: row.warned_at as Millis | null,
      live: liveAccountsIn(row.live_account),
      createdAt: isConfigured ? (row.created_at as Millis) : null,
      updatedAt: isConfigured ? (row.updated_at as Millis) : null,
    }
  }
  return {
    read: (userId) => read(state, userId),
    change: (userId, change, at, extraWrite) =>
      state.transaction().execute(async (transaction) => {
        await ensureRow(transaction, userId, at)
        const { config, haltedAt, haltReason, report } = change
        const { lastSlot, scheduleError, cooldownFrom, live } = change
        const { peakCents, maxDrawdownCents, warnedAt } = change
        const columns = {
          ...(config !== undefined && {
            config: JSON.stringify(config),
            is_configured: 1,
            updated_at: at,
          }),
          ...(haltedAt !== undefined && { halted_at: haltedAt }),
          ...(haltReason !== undefined && { halt_reason: haltReason }),
          ...(report !== undefined && { report: JSON.stringify(report) }),
          ...(lastSlot !== undefined && { last_slot: lastSlot }),
          ...(scheduleError !== undefined && { schedule_error: scheduleError }),
          ...(cooldownFrom !== undefined && { cooldown_from: cooldownFrom }),
          ...(peakCents !== undefined && { peak_cents: peakCents }),
          ...(maxDrawdownCents !== undefined && { max_drawdown_cents: maxDrawdownCents }),
          ...(warnedAt !== undefined && { warned_at: warnedAt }),
          ...(live !== undefined && { live_account: JSON.stringify(live) }),
        }
        if (Object.keys(columns).length > 0) {
          const update = transaction.updateTable('portfolio').set(columns)
          await update.where('user_id', '=', userId).execute()
        }
        await extraWrite?.(transaction)
        return read(transaction, userId)
      }),
    async scheduledPortfolios() {
      const rows = await state
        .selectFrom('portfolio')
        .select('user_id')
        .where('is_configured', '=', 1)
        .where(IS_ENABLED, '=', 1)
        .execute()
      return rows.map(({ user_id: userId }) => userId)
    },
    async live() {
      const rows = await state
        .selectFrom('portfolio')
        .select('user_id')
        .where('is_configured', '=', 1)
        .where(EXECUTION_MODE, '=', 'live')
        .execute()
      return rows.map(({ user_id: userId }) => userId)
    },
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

/** Fields that earlier versions did not store have their first values. */
const liveAccountsIn = (accountsJson: string | null): LiveAccount[] =>
  accountsJson === null
    ? []
    : (JSON.parse(accountsJson) as LiveAccount[]).map((account) => ({
        ...unreadAccount(account.exchange),
        ...account,
      }))

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
