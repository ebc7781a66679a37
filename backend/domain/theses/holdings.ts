import type { Venue } from '../venue.ts'
import type { Millis } from '../units.ts'

export const POSITION_STATUSES = ['open', 'closed'] as const
export const EXIT_REASONS = [
  'take_profit',
  'stop_loss',
  'thesis_exit',
  'settlement',
  'manual',
] as const
export type ExitReason = (typeof EXIT_REASONS)[number]
export const STRATEGY_HORIZONS = ['short', 'medium', 'long'] as const
export const STRATEGY_STATUSES = ['active', 'watching', 'executed', 'cancelled', 'review'] as const
export type StrategyStatus = (typeof STRATEGY_STATUSES)[number]
/** States that a new strategy may have. */
export const CREATABLE_STRATEGY_STATUSES = [
  'active',
  'watching',
] as const satisfies readonly StrategyStatus[]

/** A note of the owner that they hold a market because of a thesis; the ledger keeps the money. */
export interface ThesisPosition {
  readonly id: string
  readonly thesisId: string
  readonly venue: Venue
  readonly ticker: string
  readonly title: string
  readonly direction: 'yes' | 'no'
  /** Cents of its side. */
  readonly entryPrice: number
  /** Contracts. */
  readonly size: number | null
  readonly rationale: string | null
  readonly openedAt: Millis
  /** Null while it is open. */
  readonly exitedAt: Millis | null
  /** Cents of its side. */
  readonly exitPrice: number | null
  readonly exitReason: ExitReason | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** A rule by which a thesis is traded in one market; prices are cents of its side. */
export interface ThesisStrategy {
  readonly id: string
  readonly thesisId: string
  readonly ticker: string
  readonly title: string
  readonly venue: Venue
  readonly direction: 'yes' | 'no'
  readonly horizon: (typeof STRATEGY_HORIZONS)[number]
  readonly status: StrategyStatus
  readonly priority: number
  readonly entryBelow: number | null
  readonly entryAbove: number | null
  readonly stopLoss: number | null
  readonly takeProfit: number | null
  readonly maxQuantity: number
  readonly perOrderQuantity: number
  /** Contracts bought so far; read from the ledger. */
  readonly executedQuantity: number
  readonly softConditions: string | null
  readonly rationale: string | null
  readonly createdBy: string
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** Whether the owner may no longer change a strategy. */
export const isFinalStrategy = (status: StrategyStatus): boolean =>
  status === 'executed' || status === 'cancelled'

/** The error in the prices of a strategy; null when they are consistent. */
export function strategyProblem({
  entryBelow,
  entryAbove,
  stopLoss,
  takeProfit,
  maxQuantity,
  perOrderQuantity,
}: Pick<
  ThesisStrategy,
  'entryBelow' | 'entryAbove' | 'stopLoss' | 'takeProfit' | 'maxQuantity' | 'perOrderQuantity'
>): string | null {
  if (entryBelow === null && entryAbove === null) return 'entryBelow or entryAbove is required'
  if (perOrderQuantity > maxQuantity) {
    return `perOrderQuantity must be an integer from 1 to ${maxQuantity}`
  }
  if (entryBelow === null) return null
  if (stopLoss !== null && stopLoss >= entryBelow) return 'stopLoss must be below entryBelow'
  if (takeProfit !== null && takeProfit <= entryBelow) return 'takeProfit must be above entryBelow'
  return null
}

/** Profit of a position at a price of its side, whole cents; null where a number is unknown. */
export function positionPnl(
  { entryPrice, size }: Pick<ThesisPosition, 'entryPrice' | 'size'>,
  price: number | null,
): number | null {
  return price === null || size === null ? null : Math.round((price - entryPrice) * size)
}
