import type { Side } from '../market.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'

/** A thesis's pricing of a market: an E1 edge with its value after costs (E2). */
export interface ThesisPricing {
  readonly thesisId: string
  /** Cents on the YES scale. */
  readonly thesisPrice: Cents
  readonly executableEdge: number | null
  readonly isActive: boolean
  readonly isPublic: boolean
  readonly ownerId: string
}

export interface ExpectedEdge {
  /** Thesis price minus headline price, cents on the YES scale; positive means YES is cheap. */
  readonly ee: number | null
  readonly eeSource: 'thesis' | null
  /** The side to hold; null without an edge or for one of 0. */
  readonly direction: Side | null
  readonly thesisId: string | null
}

const NO_EDGE: ExpectedEdge = { ee: null, eeSource: null, direction: null, thesisId: null }

/** The side that an edge on the YES scale favours. */
export const directionOf = (edge: number | null): Side | null =>
  edge === null || edge === 0 ? null : edge > 0 ? 'yes' : 'no'

/**
 * Expected edge of a market for one caller: the active thesis edge with the highest value after
 * costs, among public theses and the caller's own; ties by thesis id. Implied edges are excluded.
 * Methodology A6.
 * @param price headline price
 * @param callerId null for anonymous callers
 */
export function expectedEdge(
  pricings: Iterable<ThesisPricing>,
  price: Cents | null,
  callerId: string | null,
): ExpectedEdge {
  let best: ThesisPricing | null = null
  for (const pricing of pricings) {
    if (!pricing.isActive || !(pricing.isPublic || pricing.ownerId === callerId)) continue
    if (best === null || isWorthMore(pricing, best)) best = pricing
  }
  if (best === null || price === null) return NO_EDGE
  const ee = roundTo(best.thesisPrice - price, 4)
  return { ee, eeSource: 'thesis', direction: directionOf(ee), thesisId: best.thesisId }
}

function isWorthMore(a: ThesisPricing, b: ThesisPricing): boolean {
  const [worthA, worthB] = [a, b].map(({ executableEdge }) =>
    executableEdge === null ? -1 : Math.abs(executableEdge),
  )
  return worthA === worthB ? a.thesisId < b.thesisId : (worthA ?? -1) > (worthB ?? -1)
}
