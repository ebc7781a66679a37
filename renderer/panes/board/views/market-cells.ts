import type { MarketRef } from '../../../../backend/contract/market.ts'
import { descriptorOf } from '../../../../backend/domain/venue.ts'
import type { VolumeUnit } from '../../../../backend/domain/units.ts'
import { formatCents, formatVolume } from '../../../lib/format.ts'
import { volumeOf } from '../../parts/market-volume.ts'
import { numeral, type Bar, type Cell, type ViewColumn } from './panel-view.ts'

/** Columns and cells shared by rows of markets. */
export const MARKET: ViewColumn = { id: 'market', label: 'Market', width: 140, flexible: true }
export const PRICE: ViewColumn = { id: 'price', label: 'Price', width: 62, numeric: true }
export const VOLUME: ViewColumn = {
  id: 'volume',
  label: 'Vol 24h',
  width: 70,
  numeric: true,
  hidePriority: 2,
}

/** A market by its title, its ticker on hover. */
export const marketCell = ({ title, ticker }: MarketRef): Cell => ({
  text: title,
  title: `${title}\n${ticker}`,
  order: title,
})
export const price = ({ price: cents }: MarketRef): Cell => numeral(cents, formatCents)
/** A market's volume in the unit that the user chose, as lists of markets show it. */
export function volumeCell(market: MarketRef, volume: number | null, unit: VolumeUnit): Cell {
  const pricedMarket = { price: market.price, volumeUnit: descriptorOf(market.venue).volumeUnit }
  return numeral(volumeOf({ volumeUnit: unit }, volume, pricedMarket), (value) =>
    formatVolume(value, unit),
  )
}
export const barOf = (
  { ticker, title }: MarketRef,
  value: number | null,
  text: string,
  id = ticker,
): Bar => ({ id, label: title, value, text, ticker })
