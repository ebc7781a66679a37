import { HOUR } from '../../domain/units.ts'
import { mix, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'

/**
 * Who trades a market: `maker`, takers know nothing, so that quoting earns the spread; `taker`,
 * takers know where the price goes within minutes; `mixed`, some of them do.
 */
export type Flow = 'maker' | 'taker' | 'mixed'

/**
 * The flow of an event on both venues. Prices of exclusive outcomes must add up at every instant,
 * so they have no unrest of their own that takers could know.
 */
export function flowOf(event: Key, exclusive: boolean): Flow {
  if (exclusive) return 'maker'
  const randomValue = unit(mix(event, 0xf10), 1)
  return randomValue < 0.25 ? 'taker' : randomValue < 0.5 ? 'mixed' : 'maker'
}

/** Share of the takers of a flow that know where the price goes. */
export const INFORMED_SHARES: Readonly<Record<Flow, number>> = { maker: 0, mixed: 0.5, taker: 0.95 }

/** Whether the opinion on an event hardly moves although it is much traded. */
export const isCalm = (event: Key): boolean => unit(mix(event, 0xca1), 1) < 0.12

/** Milliseconds by which something follows the news of its theme: hours for one in seven, 0 for others. */
export function themeDelayOf(key: Key): number {
  const marketNoise = mix(key, 0xf011)
  return unit(marketNoise, 1) < 0.14 ? (2 + Math.floor(3 * unit(marketNoise, 2))) * HOUR : 0
}
