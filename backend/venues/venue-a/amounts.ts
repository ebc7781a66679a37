import type { SizeE6 } from '../../domain/units.ts'
import { scaledOf, type Wire } from '../fields.ts'

/** Unit of a number under an old, unsuffixed price name. */
export type LegacyScale = 'cents' | 'dollars'

const LEGACY_PRICES = [
  'yes_bid',
  'yes_ask',
  'no_bid',
  'no_ask',
  'last_price',
  'yes_price',
  'no_price',
]

/**
 * Whether the unsuffixed prices of one object are cents (the venue until 2026-03) or dollars (some
 * collectors). The two legs of a market add up to a whole dollar, so in cents one of them is
 * always above 1.
 */
export const legacyScaleOf = (wire: Wire): LegacyScale =>
  LEGACY_PRICES.some((name) => typeof wire[name] === 'number' && wire[name] > 1)
    ? 'cents'
    : 'dollars'

/**
 * A price in 1e-4 dollars: from `<name>_dollars`, else from the old name (text is dollars, a
 * number has the unit `scale`). Null when missing; the range is not checked.
 */
export function priceAt(wire: Wire, name: string, scale: LegacyScale): number | null {
  const dollars = scaledOf(wire[`${name}_dollars`], 4)
  if (dollars !== null) return dollars
  const old = wire[name]
  return typeof old === 'number' && scale === 'cents' ? scaledOf(old, 2) : scaledOf(old, 4)
}

/**
 * A count of contracts in 1e-6: from `<name>_fp`, else from the old name; null when missing or
 * below 0.
 */
export function sizeAt(wire: Wire, name: string): SizeE6 | null {
  const size = scaledOf(wire[`${name}_fp`], 6) ?? scaledOf(wire[name], 6)
  return size !== null && size >= 0 ? (size as SizeE6) : null
}
