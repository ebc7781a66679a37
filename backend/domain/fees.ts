import type { Venue } from './market.ts'
import { probabilityOf, roundTo } from './units.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from './units.ts'

/** venue_a's fee of a series or event, as known at the fill. */
export interface QuadraticTerms {
  readonly venue: 'venue_a'
  readonly kind:
    'quadratic' | 'quadratic_with_maker_fees' | 'quadratic_with_combo_maker_fees' | 'flat'
  /** Of the series, or of the event where it sets its own; 1 is normal. */
  readonly multiplier: number
  readonly waivedUntil: Millis | null
}

/** venue_b's fee schedule of a market, as known at the fill. */
export interface ScheduleTerms {
  readonly venue: 'venue_b'
  readonly rate: number
  readonly exponent: number
  readonly takerOnly: boolean
}

/** Null where the market has no fee. */
export type FeeTerms = QuadraticTerms | ScheduleTerms | null

/** One fill of an order; `price` is of the side that was traded. */
export interface Fill {
  readonly at: Millis
  readonly side: 'buy' | 'sell'
  readonly role: 'taker' | 'maker'
  readonly price: PriceE4
  readonly size: SizeE6
}

/**
 * What a venue charges where a market's own terms are not known: venue_a's general schedule, and the
 * rate that venue_b charges most of its markets (A15). Edges are small; leaving fees out would make them.
 */
const GENERAL_TERMS: Readonly<Record<Venue, FeeTerms>> = {
  venue_a: { venue: 'venue_a', kind: 'quadratic', multiplier: 1, waivedUntil: null },
  venue_b: { venue: 'venue_b', rate: 0.04, exponent: 1, takerOnly: true },
}

/** The general fee terms of a venue. */
export const generalTerms = (venue: Venue): FeeTerms => GENERAL_TERMS[venue]

export interface FillFee {
  readonly fee: MoneyE6
  /** What the order's roundings have gathered and not yet paid back; handed to its next fill. */
  readonly accumulator: MoneyE6
  /** The terms are of a kind whose rule is not known; the taker rule stood in. */
  readonly approximate: boolean
}

const TAKER_RATE = 0.07
const MAKER_RATES: Readonly<Record<QuadraticTerms['kind'], number>> = {
  quadratic: 0,
  quadratic_with_maker_fees: 0.0175,
  quadratic_with_combo_maker_fees: 0.035,
  flat: TAKER_RATE,
}
/** Cash moves in whole cents for members without direct access: the conservative grid. */
export const CENT_GRID = 10_000 as MoneyE6
/** Grid of direct members: 1e-4 dollars. */
export const DIRECT_GRID = 100 as MoneyE6
/** venue_b charges in steps of 1e-5 dollars. */
const SCHEDULE_STEP = 10
const NOTHING = 0 as MoneyE6

/** Floats a hair off a whole step count as that step. */
const floorTo = (value: number, step: number): number => Math.floor(roundTo(value / step, 6)) * step
const ceilTo = (value: number, step: number): number => Math.ceil(roundTo(value / step, 6)) * step

/** Fee of one contract in dollars by the model, before any rounding; `chance` is its price in dollars. */
function modelPerContract(
  terms: FeeTerms,
  role: Fill['role'],
  chance: number,
  at: Millis | null,
): number {
  if (terms === null) return 0
  const variance = chance * (1 - chance)
  if (terms.venue === 'venue_b') {
    return terms.takerOnly && role === 'maker' ? 0 : terms.rate * variance ** terms.exponent
  }
  if (terms.waivedUntil !== null && at !== null && at < terms.waivedUntil) return 0
  const rate = role === 'taker' ? TAKER_RATE : MAKER_RATES[terms.kind]
  return terms.multiplier * rate * variance
}

/** Taker's fee of one contract at a price, in cents and without rounding, as edges use it. */
export const feePerContract = (terms: FeeTerms, price: Cents, at: Millis | null = null): number =>
  100 * modelPerContract(terms, 'taker', price / 100, at)

/**
 * Fee of one fill. venue_a rounds the model up to 1e-6 dollars and the cash change down to `grid`;
 * what that takes too much gathers over the order's fills and is paid back in whole steps of the
 * grid. venue_b rounds the fee down to 1e-5 dollars. Methodology A15.
 * @param accumulator as the order's fill before left it, 0 for the first
 * @param grid of venue_a's cash, see `CENT_GRID`
 */
export function feeOfFill(
  terms: FeeTerms,
  fill: Fill,
  accumulator: MoneyE6 = NOTHING,
  grid: MoneyE6 = CENT_GRID,
): FillFee {
  if (terms === null) return { fee: NOTHING, accumulator, approximate: false }
  const chance = probabilityOf(fill.price)
  const model = fill.size * modelPerContract(terms, fill.role, chance, fill.at)
  if (terms.venue === 'venue_b') {
    return { fee: floorTo(model, SCHEDULE_STEP) as MoneyE6, accumulator, approximate: false }
  }
  const approximate = terms.kind === 'flat'
  if (model === 0) return { fee: NOTHING, accumulator, approximate }
  const tradeFee = ceilTo(model, 1)
  const revenue = (fill.side === 'buy' ? -1 : 1) * fill.size * chance
  const change = revenue - tradeFee
  const rounding = roundTo(change - floorTo(change, grid), 6)
  const gathered = accumulator + rounding
  const rebate = Math.min(floorTo(gathered, grid), floorTo(tradeFee + rounding, grid))
  return {
    fee: Math.round(tradeFee + rounding - rebate) as MoneyE6,
    accumulator: Math.round(gathered - rebate) as MoneyE6,
    approximate,
  }
}
