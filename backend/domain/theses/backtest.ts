import { feePerContract, type FeeTerms } from '../fees.ts'
import type { Cents, Millis } from '../units.ts'
import type { ExitReason } from './holdings.ts'

/** Contracts of one trade of a replayed thesis. */
export const BACKTEST_SIZE = 50
/** Most evaluations of one replay. */
const MAX_STEPS = 90

/** A trade of a replayed thesis; prices are cents of its side. */
export interface PaperTrade {
  readonly ticker: string
  readonly direction: 'yes' | 'no'
  readonly quantity: number
  readonly openedAt: Millis
  readonly entryPrice: number
  readonly closedAt: Millis | null
  readonly exitPrice: number | null
  readonly exitReason: ExitReason | null
  readonly feesCents: number
}

/** A purchase at the asking price with the taker fee. */
export const openedTrade = (
  { ticker, direction }: Pick<PaperTrade, 'ticker' | 'direction'>,
  entryPrice: number,
  fees: FeeTerms,
  at: Millis,
): PaperTrade => ({
  ticker,
  direction,
  quantity: BACKTEST_SIZE,
  openedAt: at,
  entryPrice,
  closedAt: null,
  exitPrice: null,
  exitReason: null,
  feesCents: BACKTEST_SIZE * feePerContract(fees, entryPrice as Cents, at),
})

/** The trade after an exit; holding to settlement costs no fee. */
export const closedTrade = (
  trade: PaperTrade,
  exitPrice: number,
  exitReason: ExitReason,
  fees: FeeTerms,
  at: Millis,
): PaperTrade => ({
  ...trade,
  closedAt: at,
  exitPrice,
  exitReason,
  feesCents:
    trade.feesCents +
    (exitReason === 'settlement'
      ? 0
      : trade.quantity * feePerContract(fees, exitPrice as Cents, at)),
})

/** Profit in cents at a price of its side, after fees. */
export const tradePnl = ({ quantity, entryPrice, feesCents }: PaperTrade, price: number): number =>
  quantity * (price - entryPrice) - feesCents

/** Time between evaluations: the schedule, or longer so that a replay has at most 90. */
export const stepOf = (span: number, interval: number): number =>
  Math.max(interval, Math.ceil(span / MAX_STEPS / interval) * interval)
