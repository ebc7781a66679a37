import type { VolumeUnit } from './market.ts'
import { contractsOf, probabilityOf } from './units.ts'
import type { Cents, PriceE4, SizeE6 } from './units.ts'

/**
 * Dollars of a venue's volume counter, so that venues can be compared: dollars already, else
 * contracts at `price`. Null when the volume, or the price it needs, is unknown. Methodology 0.3.
 * @param volume in `unit`
 */
export function volumeUsd(
  volume: number | null,
  unit: VolumeUnit,
  price: Cents | null,
): number | null {
  if (volume === null || unit === 'usd') return volume
  return price === null ? null : (volume * price) / 100
}

/** Dollars that trades moved: contracts times the YES price, whichever venue printed them. */
export function tradedUsd(
  trades: Iterable<{ readonly price: PriceE4; readonly size: SizeE6 }>,
): number {
  let dollars = 0
  for (const trade of trades) dollars += contractsOf(trade.size) * probabilityOf(trade.price)
  return dollars
}
