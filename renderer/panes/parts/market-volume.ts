import { volumeIn } from '../../../backend/domain/liquidity/volume.ts'
import type { Cents, VolumeUnit } from '../../../backend/domain/units.ts'
import { formatVolume } from '../../lib/format.ts'

interface VolumeSettings {
  readonly volumeUnit: VolumeUnit
}
interface PricedMarket {
  /** Unit of the market's own volumes. */
  readonly volumeUnit: VolumeUnit
  readonly price: number | null
}

/** A market's volume in the unit that the user chose, at the market's price. */
export const volumeOf = (
  settings: VolumeSettings,
  volume: number | null,
  { volumeUnit, price }: PricedMarket,
): number | null => volumeIn(settings.volumeUnit, volume, volumeUnit, price as Cents | null)

export const volumeText = (
  settings: VolumeSettings,
  volume: number | null,
  market: PricedMarket,
): string => formatVolume(volumeOf(settings, volume, market), settings.volumeUnit)
