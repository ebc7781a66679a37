import type { Venue } from '../../api/types.ts'

/**
 * What takers pay where a market's own terms are not known: venue_a's general schedule, and the rate
 * that venue_b charges most of its markets (methodology A15).
 */
const RATES: Readonly<Record<Venue, number>> = { venue_a: 0.07, venue_b: 0.04 }

/** Taker's fee of one contract at a price, both in cents; the same for YES and NO. */
export function takerFee(venue: Venue, price: number): number {
  const chance = price / 100
  return 100 * RATES[venue] * chance * (1 - chance)
}
