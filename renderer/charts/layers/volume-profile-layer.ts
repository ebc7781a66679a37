import {
  volumeProfile,
  type PriceBucket,
  type TradedBar,
} from '../../../backend/domain/trend/study-series.ts'
import { tradedBars, type ChartBar } from '../chart-bars.ts'
import type { ChartLayer, ChartParts } from './chart-layer.ts'
import type { ChartColours } from './chart-colours.ts'
import { Underlay, type DrawTarget } from '../underlay.ts'

/** Share of the width that the largest price takes. */
const WIDTH_SHARE = 0.22
const STEP_CENTS = 1

type TradedBars = readonly (TradedBar | null)[]

class ProfileBars extends Underlay {
  readonly #yOf: ChartParts['yOf']
  #bars: TradedBars = []
  #colours: ChartColours | null = null
  #cache: {
    readonly key: string
    readonly bars: TradedBars
    readonly buckets: readonly PriceBucket[]
  } | null = null

  constructor(yOf: ChartParts['yOf']) {
    super()
    this.#yOf = yOf
  }

  show(bars: TradedBars): void {
    this.#bars = bars
    this.chart?.requestUpdate()
  }

  colour(colours: ChartColours): void {
    this.#colours = colours
    this.chart?.requestUpdate()
  }

  #buckets(from: number, to: number): readonly PriceBucket[] {
    const key = `${from} ${to}`
    if (this.#cache?.key !== key || this.#cache.bars !== this.#bars) {
      const buckets = volumeProfile(this.#bars.slice(from, to + 1), STEP_CENTS)
      this.#cache = { key, bars: this.#bars, buckets }
    }
    return this.#cache.buckets
  }

  draw(target: DrawTarget): void {
    const range = this.chart?.chart.timeScale().getVisibleLogicalRange() ?? null
    const colours = this.#colours
    if (colours === null || range === null) return
    const buckets = this.#buckets(Math.max(0, Math.ceil(range.from)), Math.floor(range.to))
    const max = Math.max(...buckets.map(({ volume }) => volume), 0)
    if (max === 0) return
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      for (const { from, to, volume, isValue } of buckets) {
        const [top, bottom] = [this.#yOf(to), this.#yOf(from)]
        if (top === null || bottom === null) continue
        const width = (volume / max) * mediaSize.width * WIDTH_SHARE
        context.fillStyle = isValue ? colours.upSoft : colours.priceSoft
        context.fillRect(mediaSize.width - width, top, width, Math.max(1, bottom - top - 1))
      }
      context.restore()
    })
  }
}

/** Volume by price of the bars in view, as horizontal bars at the right edge. */
export class VolumeProfileLayer implements ChartLayer {
  #parts: ChartParts | null = null
  #drawing: ProfileBars | null = null

  attach(parts: ChartParts): void {
    this.#parts = parts
    this.#drawing = new ProfileBars(parts.yOf)
    parts.price.attachPrimitive(this.#drawing)
  }

  detach(): void {
    if (this.#drawing !== null) this.#parts?.price.detachPrimitive(this.#drawing)
    this.#drawing = null
  }

  colour(colours: ChartColours): void {
    this.#drawing?.colour(colours)
  }

  draw(bars: readonly ChartBar[]): void {
    this.#drawing?.show(tradedBars(bars))
  }
}
