import { canonicalTicker, type Ticker } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import { scaledOf, textOf } from '../../venues/fields.ts'
import { priceInRange } from '../../venues/parsed.ts'
import { textualTime } from './textual-time.ts'

/** Why a row is refused; thrown by the readers of its cells. */
export class RefusedRow extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RefusedRow'
  }
}

/**
 * The cells of one row as text, read by expected type. An empty cell is null; a cell of another
 * type refuses the row.
 */
export interface Cells {
  text(column: string): string | null
  needed(column: string): string
  /** A canonical ticker. */
  ticker(column: string): Ticker
  /** A price from 0 to 1. */
  price(column: string): PriceE4 | null
  neededPrice(column: string): PriceE4
  /** A price in percent, 0 to 100. */
  percent(column: string): PriceE4 | null
  /** Contracts, shares or dollars in 1e-6; never below 0. */
  amount(column: string): number | null
  time(column: string): Millis | null
  neededTime(column: string): Millis
  flag(column: string): boolean | null
}

const TRUE = new Set(['true', 't', '1', 'yes'])
const FALSE = new Set(['false', 'f', '0', 'no'])
const EXPONENT = /^\s*[+-]?\d*\.?\d*e[+-]?\d{1,3}\s*$/i

/** A decimal as an integer count of 10^-places; engines write small numbers with an exponent. */
const decimalOf = (text: string, places: number): number | null =>
  EXPONENT.test(text) ? scaledOf(Number(text), places) : scaledOf(text, places)

export function cellsOf(row: Readonly<Record<string, unknown>>): Cells {
  const text = (column: string): string | null => textOf(row[column])
  const refuse = (reason: string): never => {
    throw new RefusedRow(reason)
  }
  const requiredText = (column: string): string => text(column) ?? refuse(`${column} is missing`)
  const scaledNumber = (column: string, places: number): number | null | undefined => {
    const value = text(column)
    return value === null ? undefined : decimalOf(value, places)
  }
  const priceOf = (column: string, places: number, range: string): PriceE4 | null => {
    const value = scaledNumber(column, places)
    if (value === undefined) return null
    return priceInRange(value) ?? refuse(`${column} is not a price from ${range}`)
  }
  const time = (column: string): Millis | null => {
    const value = text(column)
    if (value === null) return null
    return textualTime(value) ?? refuse(`${column} is not a time`)
  }
  return {
    text,
    needed: requiredText,
    ticker: (column) => canonicalTicker(requiredText(column)),
    price: (column) => priceOf(column, 4, '0 to 1'),
    neededPrice: (column) => priceOf(column, 4, '0 to 1') ?? refuse(`${column} is missing`),
    percent: (column) => priceOf(column, 2, '0 to 100'),
    amount(column) {
      const value = scaledNumber(column, 6)
      if (value === undefined) return null
      return value !== null && value >= 0 ? value : refuse(`${column} is not an amount`)
    },
    time,
    neededTime: (column) => time(column) ?? refuse(`${column} is missing`),
    flag(column) {
      const value = text(column)?.toLowerCase() ?? null
      if (value === null) return null
      if (TRUE.has(value)) return true
      return FALSE.has(value) ? false : refuse(`${column} is neither true nor false`)
    },
  }
}
