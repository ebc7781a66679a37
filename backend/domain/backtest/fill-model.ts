import { CENT_GRID } from '../fees.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'

/**
 * How orders meet the market: every setting of methodology part K. Printed with each result, since
 * a result means nothing without it.
 */
export interface FillModel {
  readonly name: 'full' | 'paper'
  /** From a decision to the venue; cancels take as long. */
  readonly latencyMs: Millis
  /** What the venue itself holds back orders that would take. */
  readonly takerDelayMs: Millis
  /**
   * An order meets the first book that the venue states at its arrival or later; else the book that
   * stands when it is decided.
   */
  readonly waitsForNextBook: boolean
  /** Levels that an order may walk. */
  readonly levels: number
  /** What is not filled at once stays in the queue of its price; else it is cancelled. */
  readonly rests: boolean
  /** A quote older than this fills nothing; null for any age. */
  readonly longestQuoteAgeMs: Millis | null
  /** Contracts taken to stand at a quoted price whose size is not on file. */
  readonly assumedLevelContracts: number
  /** Market orders take no price further than this from the touch. */
  readonly protectionCents: Cents
  /** Cents lost against the last price where no book is on file (methodology A14). */
  readonly noBookCents: Cents
  /** Share of a trade through its price that fills a resting order where no book is on file. */
  readonly noBookShare: number
  /** Share of a trade at its price that may fill a resting order where the taker's side is unknown. */
  readonly unknownTakerShare: number
  /** Least size of an order, contracts. */
  readonly leastContracts: number
  /** Grid of venue_a's cash, 1e-6 dollars. */
  readonly feeGrid: MoneyE6
}

/** Visible liquidity, latency and the queue: the default of a backtest. */
export const FULL_FILLS: FillModel = {
  name: 'full',
  latencyMs: 250 as Millis,
  takerDelayMs: 0 as Millis,
  waitsForNextBook: true,
  levels: 5,
  rests: true,
  longestQuoteAgeMs: null,
  assumedLevelContracts: 25,
  protectionCents: 10 as Cents,
  noBookCents: 2 as Cents,
  noBookShare: 0.25,
  unknownTakerShare: 0.5,
  leastContracts: 1,
  feeGrid: CENT_GRID,
}

/** The paper broker: the standing book at the moment of the decision, and nothing stays. */
export const PAPER_FILLS: FillModel = {
  ...FULL_FILLS,
  name: 'paper',
  latencyMs: 0 as Millis,
  waitsForNextBook: false,
  levels: 1,
  rests: false,
  longestQuoteAgeMs: 60_000 as Millis,
}

/**
 * Money of a size at a price, exact to 1e-6 dollars (half away from zero): a product of both would
 * leave the whole numbers that a float holds.
 */
export function moneyOf(price: number, size: SizeE6): MoneyE6 {
  const whole = Math.floor(size / 10_000)
  return (price * whole + Math.round((price * (size - whole * 10_000)) / 10_000)) as MoneyE6
}

/** Price of the other side: what NO costs where YES costs `price`. */
export const otherSide = (price: PriceE4): PriceE4 => (10_000 - price) as PriceE4
