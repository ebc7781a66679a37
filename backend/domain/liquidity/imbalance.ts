import { roundTo } from '../units.ts'

/** Difference divided by sum, -1 to 1, 4 decimals; null if either is unknown or the sum is 0. */
export const imbalanceOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null || a + b === 0 ? null : roundTo((a - b) / (a + b), 4)
