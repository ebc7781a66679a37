import type { VolumeUnit } from '../market.ts'
import type { Cents } from '../units.ts'

/**
 * Volume in dollars, so that venues can be compared: dollar volumes are returned as they are,
 * contracts are valued at `price`. Null when the volume, or the price it needs, is unknown.
 * Methodology 0.3.
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
