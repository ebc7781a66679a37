import type { Millis } from './units.ts'

/** Quadratic fee: it is highest at 50 cents. As known for a series or event at the fill. */
export interface QuadraticTerms {
  readonly model: 'quadratic'
  readonly kind:
    'quadratic' | 'quadratic_with_maker_fees' | 'quadratic_with_combo_maker_fees' | 'flat'
  /** Of the series, or of the event if it sets its own; 1 is normal. */
  readonly multiplier: number
  readonly waivedUntil: Millis | null
}

/** Fee by a schedule of rate and exponent, as known for a market at the fill. */
export interface ScheduleTerms {
  readonly model: 'schedule'
  readonly rate: number
  readonly exponent: number
  readonly takerOnly: boolean
}

/** Null for a market without fees. */
export type FeeTerms = QuadraticTerms | ScheduleTerms | null
