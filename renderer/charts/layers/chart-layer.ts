import type { IChartApi, ISeriesApi } from 'lightweight-charts'
import type { ChartBar } from '../chart-bars.ts'
import type { ChartColours } from './chart-colours.ts'

/** Parts of a price chart that a layer draws on. */
export interface ChartParts {
  readonly chart: IChartApi
  /** The price; primitives attach to it. */
  readonly price: ISeriesApi<'Line'>
  /** Vertical position of a price in cents. */
  readonly yOf: (cents: number) => number | null
}

/** Lowest and highest price, in cents. */
export interface PriceSpan {
  readonly low: number
  readonly high: number
}

/** Something drawn on a price chart besides the price, loaded when it is first used. */
export interface ChartLayer {
  attach(parts: ChartParts): void
  detach(): void
  colour(colours: ChartColours): void
  /** The bars of the time axis. */
  draw(bars: readonly ChartBar[]): void
  /** Prices that the axis has to include for bars of these indexes; null when none. */
  spanOf?(from: number, to: number): PriceSpan | null
}
