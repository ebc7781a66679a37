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

/**
 * Volume in one unit for all venues; dollars are turned into contracts at `price`. Null when the
 * volume, or the price it needs, is unknown.
 */
export function volumeIn(
  target: VolumeUnit,
  volume: number | null,
  unit: VolumeUnit,
  price: Cents | null,
): number | null {
  if (target === 'usd') return volumeUsd(volume, unit, price)
  if (volume === null || unit === 'contracts') return volume
  return price === null || price === 0 ? null : (volume * 100) / price
}
