import type { Millis, PriceE4 } from '../../../domain/units.ts'
import { priceInRange } from '../../../venues/parsed.ts'
import { RefusedRow, type Cells } from '../cells.ts'

/**
 * Cells of files that `augury export` wrote; each reader refuses the row when the cell has another
 * type.
 */

const LAST_MS = 8.64e15

export const neededText = (cells: Cells, column: string): string =>
  requireValue(cells.text(column), column)

export const choiceIn = <T extends string>(
  cells: Cells,
  column: string,
  values: readonly T[],
): T | null => {
  const text = cells.text(column)
  if (text === null) return null
  const value = values.find((member) => member === text)
  if (value === undefined) throw new RefusedRow(`${column} is none of ${values.join(', ')}`)
  return value
}

export function requireValue<T>(value: T | null, column: string): T {
  if (value === null) throw new RefusedRow(`${column} is missing`)
  return value
}

export function wholeOf(cells: Cells, column: string): number | null {
  const text = cells.text(column)
  if (text === null) return null
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new RefusedRow(`${column} is not a whole number`)
  return value
}

/** Unix ms. */
export const timeOf = (cells: Cells, column: string): Millis | null => {
  const value = wholeOf(cells, column)
  if (value !== null && Math.abs(value) > LAST_MS) throw new RefusedRow(`${column} is not a time`)
  return value as Millis | null
}

/** 1e-4 dollars. */
export function priceIn(cells: Cells, column: string): PriceE4 | null {
  const value = wholeOf(cells, column)
  if (value === null) return null
  const price = priceInRange(value)
  if (price === null) throw new RefusedRow(`${column} is not a price`)
  return price
}

/** A number with or without a fraction. */
export function numberOf(cells: Cells, column: string): number | null {
  const text = cells.text(column)
  if (text === null) return null
  const value = Number(text)
  if (!Number.isFinite(value)) throw new RefusedRow(`${column} is not a number`)
  return value
}
