import { DAY, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

const DAYS_A_YEAR = 365
/** Yields over less than an hour would be meaningless, so the formula uses at least an hour. */
const MIN_TAU = 1 / 24

/** Exact days from `at` to the close as known at `at`; null when past or without a close. */
export function tauAt(closeTime: Millis | null, at: Millis): number | null {
  if (closeTime === null) return null
  const tau = (closeTime - at) / DAY
  return tau > 0 ? tau : null
}

/** Whole days to the close, for display. */
export const tauDays = (tau: number | null): number | null =>
  tau === null ? null : Math.floor(tau)

/** Whether a price is strictly between 0 and 100; ratios of other prices are meaningless. */
const isRatioPrice = (price: Cents | null): price is Cents =>
  price !== null && price > 0 && price < 100

/** Simple (not compounded) annual yield in percent of `stake` cents that may become 100. */
function yearlyYield(stake: number, tau: number): number {
  return ((100 - stake) / stake) * (DAYS_A_YEAR / Math.max(tau, MIN_TAU)) * 100
}

/** Implied yield of YES in percent a year, not rounded; methodology A4. */
export const impliedYieldYes = (price: Cents | null, tau: number | null): number | null =>
  isRatioPrice(price) && tau !== null && tau > 0 ? yearlyYield(price, tau) : null

/** Implied yield of NO in percent a year, not rounded; methodology A4. */
export const impliedYieldNo = (price: Cents | null, tau: number | null): number | null =>
  isRatioPrice(price) && tau !== null && tau > 0 ? yearlyYield(100 - price, tau) : null

/** Price of the more expensive side over the cheaper side, 3 decimals (`cri`); methodology A5. */
export const cliffRatio = (price: Cents | null): number | null =>
  isRatioPrice(price)
    ? roundTo(Math.max(price, 100 - price) / Math.min(price, 100 - price), 3)
    : null

/**
 * Spread over the YES price, 4 decimals (`las`); null without a two-sided book. Methodology A5.
 * @param spread of the valid book, cents
 */
export const liquidityAdjustedSpread = (
  price: Cents | null,
  spread: Cents | null,
): number | null => (isRatioPrice(price) && spread !== null ? roundTo(spread / price, 4) : null)

/**
 * Implied yield of YES minus the share that the spread costs, 2 decimals (`adjIy`); methodology
 * A5.
 */
export function adjustedYield(iyYes: number | null, las: number | null): number | null {
  if (iyYes === null || las === null) return null
  return las > 1 ? 0 : roundTo(iyYes * (1 - las), 2)
}

/**
 * Price difference to the counterpart on the other venue, as a share of its own price, 4
 * decimals (`cvr`).
 */
export const crossVenueRatio = (price: Cents | null, counterpart: Cents | null): number | null =>
  isRatioPrice(price) && counterpart !== null ? roundTo((price - counterpart) / price, 4) : null

/** One live outcome of an event, for the overround. */
export interface OutcomeQuote {
  readonly bid: Cents | null
  readonly ask: Cents | null
  /** False for a placeholder that is not tradable. */
  readonly tradable: boolean
}

/**
 * Cost of buying YES of every outcome above 100 cents; negative is a discount. Null unless the
 * outcomes exclude each other, at least two are live and each has an ask; a placeholder with
 * a quote makes the sum unknown. Methodology A7.
 */
export function overround(exclusive: boolean, outcomes: readonly OutcomeQuote[]): Cents | null {
  const tradableOutcomes = outcomes.filter((outcome) => outcome.tradable)
  const quotedPlaceholder = outcomes.some(
    (outcome) => !outcome.tradable && (outcome.bid !== null || outcome.ask !== null),
  )
  if (!exclusive || tradableOutcomes.length < 2 || quotedPlaceholder) return null
  let sum = 0
  for (const { ask } of tradableOutcomes) {
    if (ask === null) return null
    sum += ask
  }
  return roundTo(sum - 100, 2) as Cents
}

/**
 * Marks of an exclusive event's outcomes scaled to a sum of 100, 2 decimals; null when a mark is
 * missing, the sum is outside 80 to 120, or the event may end without any of them.
 * Methodology A17.
 */
export function normalizedMarks(
  marks: readonly (Cents | null)[],
  noneIsPossible: boolean,
): readonly number[] | null {
  const present = marks.filter((mark) => mark !== null)
  if (noneIsPossible || present.length !== marks.length || present.length === 0) return null
  let sum = 0
  for (const mark of present) sum += mark
  return sum < 80 || sum > 120 ? null : present.map((mark) => roundTo((100 * mark) / sum, 2))
}
