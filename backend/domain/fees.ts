import type { FeeTerms, QuadraticTerms } from './fee-terms.ts'
import { probabilityOf, roundTo } from './units.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from './units.ts'
import { descriptorOf } from './venue.ts'
import type { Venue } from './venue.ts'

export type { FeeTerms, QuadraticTerms, ScheduleTerms } from './fee-terms.ts'

/** One fill of an order; `price` is of the traded side. */
export interface Fill {
  readonly at: Millis
  readonly side: 'buy' | 'sell'
  readonly role: 'taker' | 'maker'
  readonly price: PriceE4
  readonly size: SizeE6
}

/** The general fee terms of a venue: they apply where a market's own terms are not known. */
export const generalTerms = (venue: Venue): FeeTerms => descriptorOf(venue).fees

export interface FillFee {
  readonly fee: MoneyE6
  /** Rounding excess of the order that is not rebated yet; passed to its next fill. */
  readonly accumulator: MoneyE6
  /** The terms are of an unknown kind and the taker rule was used instead. */
  readonly approximate: boolean
}

const TAKER_RATE = 0.07
const MAKER_RATES: Readonly<Record<QuadraticTerms['kind'], number>> = {
  quadratic: 0,
  quadratic_with_maker_fees: 0.0175,
  quadratic_with_combo_maker_fees: 0.035,
  flat: TAKER_RATE,
}
/** Cash moves in whole cents for members without direct access; the conservative increment. */
export const CENT_GRID = 10_000 as MoneyE6
/** A fee by schedule is charged in steps of 1e-5 dollars. */
const SCHEDULE_STEP = 10
const ZERO_MONEY = 0 as MoneyE6

/** Floats that are slightly off a whole step count as that step. */
const floorTo = (value: number, step: number): number => Math.floor(roundTo(value / step, 6)) * step
const ceilTo = (value: number, step: number): number => Math.ceil(roundTo(value / step, 6)) * step

/**
 * Fee of one contract in dollars by the model, before rounding; `chance` is its price in dollars.
 */
function modelPerContract(
  terms: FeeTerms,
  role: Fill['role'],
  chance: number,
  at: Millis | null,
): number {
  if (terms === null) return 0
  const variance = chance * (1 - chance)
  if (terms.model === 'schedule') {
    return terms.takerOnly && role === 'maker' ? 0 : terms.rate * variance ** terms.exponent
  }
  if (terms.waivedUntil !== null && at !== null && at < terms.waivedUntil) return 0
  const rate = role === 'taker' ? TAKER_RATE : MAKER_RATES[terms.kind]
  return terms.multiplier * rate * variance
}

/** Taker fee of one contract at a price, in cents and without rounding, as edges use it. */
export const feePerContract = (terms: FeeTerms, price: Cents, at: Millis | null = null): number =>
  100 * modelPerContract(terms, 'taker', price / 100, at)

/**
 * Taker fee by the general terms of a venue, in cents and without rounding: an estimate that
 * ignores the market's own terms. The same for YES and NO.
 * @param price of one contract in cents
 * @param size in contracts
 */
export const takerFee = (venue: Venue, price: Cents, size = 1): number =>
  size * feePerContract(generalTerms(venue), price)

/**
 * Fee of one fill (methodology A15). Quadratic terms round the model up to 1e-6 dollars and the cash
 * change down to `grid`; the excess accumulates over the order's fills and is rebated in whole steps
 * of the grid. Schedules round the fee down to 1e-5 dollars.
 * @param accumulator as the order's previous fill left it, 0 for the first
 * @param grid of the cash of quadratic terms, see `CENT_GRID`
 */
export function feeOfFill(
  terms: FeeTerms,
  fill: Fill,
  accumulator: MoneyE6 = ZERO_MONEY,
  grid: MoneyE6 = CENT_GRID,
): FillFee {
  if (terms === null) return { fee: ZERO_MONEY, accumulator, approximate: false }
  const chance = probabilityOf(fill.price)
  const model = fill.size * modelPerContract(terms, fill.role, chance, fill.at)
  if (terms.model === 'schedule') {
    return { fee: floorTo(model, SCHEDULE_STEP) as MoneyE6, accumulator, approximate: false }
  }
  const approximate = terms.kind === 'flat'
  if (model === 0) return { fee: ZERO_MONEY, accumulator, approximate }
  const tradeFee = ceilTo(model, 1)
  const revenue = (fill.side === 'buy' ? -1 : 1) * fill.size * chance
  const change = revenue - tradeFee
  const rounding = roundTo(change - floorTo(change, grid), 6)
  const carriedRounding = accumulator + rounding
  const rebate = Math.min(floorTo(carriedRounding, grid), floorTo(tradeFee + rounding, grid))
  return {
    fee: Math.round(tradeFee + rounding - rebate) as MoneyE6,
    accumulator: Math.round(carriedRounding - rebate) as MoneyE6,
    approximate,
  }
}
