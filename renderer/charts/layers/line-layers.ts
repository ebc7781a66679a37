import { LineSeries, type ISeriesApi, type Time } from 'lightweight-charts'
import type { ChartBar } from '../chart-bars.ts'
import type { ChartLayer, ChartParts, PriceSpan } from './chart-layer.ts'
import type { ChartColours } from './chart-colours.ts'
import { OverlayLines, spanOfLines, type OverlayLine } from './overlay-lines.ts'

const styleOf = ({ lines, background, text, fontFamily }: ChartColours) => ({
  colours: lines,
  background,
  text,
  font: fontFamily,
})

/** Lines on the price's own axis: compared markets, averages and bands. */
export class PriceLinesLayer implements ChartLayer {
  #parts: ChartParts | null = null
  #drawing: OverlayLines | null = null
  #lines: readonly OverlayLine[] = []
  #colours: ChartColours | null = null
  readonly #text: (cents: number) => string

  /** @param text label of a price in cents on the axis */
  constructor(text: (cents: number) => string) {
    this.#text = text
  }

  attach(parts: ChartParts): void {
    this.#parts = parts
    this.#drawing = new OverlayLines(parts.yOf, { title: '', guides: [], text: this.#text })
    parts.price.attachPrimitive(this.#drawing)
  }

  detach(): void {
    if (this.#drawing !== null) this.#parts?.price.detachPrimitive(this.#drawing)
    this.#drawing = null
    this.#parts = null
  }

  show(lines: readonly OverlayLine[]): void {
    this.#lines = lines
    if (this.#colours !== null) this.#drawing?.colour(styleOf(this.#colours))
    this.#drawing?.show(lines)
  }

  colour(colours: ChartColours): void {
    this.#colours = colours
    this.#drawing?.colour(styleOf(colours))
  }

  draw(): void {
    this.#drawing?.show(this.#lines)
  }

  spanOf(from: number, to: number): PriceSpan | null {
    return spanOfLines(this.#lines, from, to)
  }
}

/** Content of a pane below the price. */
export interface StudyPane {
  readonly title: string
  readonly guides: readonly number[]
  /** The whole axis; null fits it to the values in view. */
  readonly range: PriceSpan | null
  readonly text: (value: number) => string
}

const PANE_SHARE = 0.28

/** Lines with an axis of their own in a pane below the price. */
export class StudyPaneLayer implements ChartLayer {
  readonly #study: StudyPane
  #parts: ChartParts | null = null
  #series: ISeriesApi<'Line'> | null = null
  #drawing: OverlayLines | null = null
  #lines: readonly OverlayLine[] = []
  #bars: readonly ChartBar[] = []

  constructor(study: StudyPane) {
    this.#study = study
  }

  attach(parts: ChartParts): void {
    this.#parts = parts
    const { chart } = parts
    const { title, guides, text, range } = this.#study
    const pane = chart.addPane()
    const series = pane.addSeries(LineSeries, {
      lineVisible: false,
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      priceFormat: { type: 'custom', minMove: 0.01, formatter: text },
      autoscaleInfoProvider: () => {
        const span = range ?? this.#spanInView()
        return span === null ? null : { priceRange: { minValue: span.low, maxValue: span.high } }
      },
    })
    pane.setStretchFactor(PANE_SHARE)
    series.priceScale().applyOptions({ scaleMargins: { top: 0.16, bottom: 0.08 } })
    const drawing = new OverlayLines((value) => series.priceToCoordinate(value), {
      title,
      guides,
      text,
    })
    series.attachPrimitive(drawing)
    this.#series = series
    this.#drawing = drawing
  }

  detach(): void {
    if (this.#series !== null) this.#parts?.chart.removeSeries(this.#series)
    this.#series = null
    this.#drawing = null
    this.#parts = null
  }

  show(lines: readonly OverlayLine[]): void {
    this.#lines = lines
    this.#drawing?.show(lines)
    this.#setData()
  }

  colour(colours: ChartColours): void {
    this.#drawing?.colour(styleOf(colours))
    this.#series?.priceScale().applyOptions({ borderColor: colours.line })
  }

  draw(bars: readonly ChartBar[]): void {
    this.#bars = bars
    this.#setData()
  }

  #spanInView(): PriceSpan | null {
    const range = this.#parts?.chart.timeScale().getVisibleLogicalRange() ?? null
    if (range === null) return null
    return spanOfLines(this.#lines, Math.floor(range.from), Math.ceil(range.to))
  }

  /** Values for the crosshair; the lines are drawn by the primitive. */
  #setData(): void {
    const values = this.#lines[0]?.values ?? []
    this.#series?.setData(
      this.#bars.map(({ time }, index) => {
        const value = values[index] ?? null
        const at = time as Time & number
        return value === null ? { time: at } : { time: at, value }
      }),
    )
  }
}
