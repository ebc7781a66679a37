import type { Millis, MoneyE6 } from '../units.ts'
import type { Venue } from '../venue.ts'

/** A market of which the ledger and the venue hold different amounts; contracts in YES terms. */
export interface Mismatch {
  readonly venue: string
  readonly marketId: string
  readonly ours: number
  readonly theirs: number
}

export type ReconcileStatus = 'ok' | 'mismatch' | 'failed'

/** A user's account at an exchange, as it was last read. */
export interface LiveAccount {
  /** The exchange: the venues, or the simulated one of a run. */
  readonly exchange: string
  /** Whether a person confirmed live trading there. */
  readonly isConfirmed: boolean
  /** Cash by venue, as it was last read. */
  readonly balances: Readonly<Partial<Record<Venue, MoneyE6>>>
  /** Time of the newest fill that was read, by venue; absent before the first. */
  readonly fillsReadUntil?: Readonly<Partial<Record<Venue, Millis>>>
  /** When every balance was last read; null before. */
  readonly readAt: Millis | null
  /** When the account was last reconciled, and how that ended. */
  readonly reconciledAt: Millis | null
  readonly status: ReconcileStatus | null
  readonly mismatches: readonly Mismatch[]
  /** Why venues could not be reconciled. */
  readonly failures: Readonly<Partial<Record<Venue, string>>>
  /** Time of the venue that differs most minus ours, in ms; null before any answer. */
  readonly clockOffset: number | null
  /** Highest sum of ledger cash and value of positions; deposits do not move it. */
  readonly peak: MoneyE6 | null
  readonly maxDrawdownCents: number
  /** Since when the drawdown is at its warning; null below it. */
  readonly warnedAt: Millis | null
  /** The last report, as `state` serves it; null before the first. */
  readonly report: Readonly<Record<string, unknown>> | null
}

/** An account before it was read. */
export const unreadAccount = (exchange: string): LiveAccount => ({
  exchange,
  isConfirmed: false,
  balances: {},
  readAt: null,
  reconciledAt: null,
  status: null,
  mismatches: [],
  failures: {},
  clockOffset: null,
  peak: null,
  maxDrawdownCents: 0,
  warnedAt: null,
  report: null,
})
