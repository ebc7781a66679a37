import { CENT_GRID } from '../../fees.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'

/**
 * How orders are filled: every setting of methodology part K. It is printed with each result,
 * because a result cannot be interpreted without it.
 */
export interface FillModel {
  readonly name: 'full' | 'paper'
  /** Delay from the decision to the venue; the same for cancels. */
  readonly latencyMs: Millis
  /** Delay that the venue itself imposes on taking orders. */
  readonly takerDelayMs: Millis
  /**
   * Whether an order meets the first book that the venue publishes at or after its arrival;
   * otherwise it meets the book current at the decision.
   */
  readonly waitsForNextBook: boolean
  /** Number of book levels that an order may take. */
  readonly levels: number
  /** Whether the unfilled rest joins the queue at its price; otherwise it is cancelled. */
  readonly rests: boolean
  /** Maximum age of a quote that can fill orders; null for any age. */
  readonly longestQuoteAgeMs: Millis | null
  /** Contracts assumed at a quoted price without a recorded size. */
  readonly assumedLevelContracts: number
  /** Maximum distance of a market order's price from the touch. */
  readonly protectionCents: Cents
  /** Cost in cents against the last price when no book is recorded (methodology A14). */
  readonly noBookCents: Cents
  /** Share of a trade through its price that fills a resting order when no book is recorded. */
  readonly noBookShare: number
  /**
   * Share of a trade at its price that may fill a resting order when the taker's side is unknown.
   */
  readonly unknownTakerShare: number
  /** Minimum size of an order, contracts. */
  readonly leastContracts: number
  /** Cash grid of quadratic fee terms, 1e-6 dollars; see `CENT_GRID`. */
  readonly feeGrid: MoneyE6
}

/** Visible liquidity, latency and queue position: the default of a backtest. */
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

/** The paper broker: orders meet the book at the moment of the decision, and nothing rests. */
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
 * Value of a size at a price, exact to 1e-6 dollars (half away from zero). The plain product could
 * exceed the integers that a float represents exactly.
 */
export function moneyOf(price: number, size: SizeE6): MoneyE6 {
  const hundredths = Math.floor(size / 10_000)
  return (price * hundredths +
    Math.round((price * (size - hundredths * 10_000)) / 10_000)) as MoneyE6
}

/** Price of the other side: the NO price when YES costs `price`. */
export const otherSide = (price: PriceE4): PriceE4 => (10_000 - price) as PriceE4
