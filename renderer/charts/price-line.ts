import type { Logical } from 'lightweight-charts'
import type { ChartBar } from './chart-bars.ts'
import type { ChartType } from './chart-types.ts'
import { Underlay, type DrawTarget } from './underlay.ts'

export interface LineColours {
  readonly line: string
  readonly old: string
  readonly fill: string
  readonly band: string
}

interface Point {
  readonly x: number
  readonly end: number
  readonly bar: ChartBar
}

/** Draws the price over its bid and ask; bars without a price leave a gap. */
export class PriceLine extends Underlay {
  #bars: readonly ChartBar[] = []
  #type: ChartType = 'step'
  #isComparing = false
  #colours: LineColours | null = null
  readonly #yOf: (cents: number) => number | null

  /** @param yOf vertical position of a price in cents */
  constructor(yOf: (cents: number) => number | null) {
    super()
    this.#yOf = yOf
  }

  show(
    bars: readonly ChartBar[],
    { type, isComparing }: { readonly type: ChartType; readonly isComparing: boolean },
  ): void {
    this.#bars = bars
    this.#type = type
    this.#isComparing = isComparing
    this.chart?.requestUpdate()
  }

  colour(colours: LineColours): void {
    this.#colours = colours
    this.chart?.requestUpdate()
  }

  /** Above the grid. */
  override zOrder(): 'normal' {
    return 'normal'
  }

  draw(target: DrawTarget): void {
    const colours = this.#colours
    const points = this.#inView()
    if (colours === null || points.length === 0) return
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      if (!this.#isComparing) this.#band(context, points, colours.band)
      if (this.#type === 'area') this.#area(context, points, colours.fill, mediaSize.height)
      this.#line(context, points, colours)
      context.restore()
    })
  }

  /** The bars in view with the horizontal range of each. */
  #inView(): readonly Point[] {
    const scale = this.chart?.chart.timeScale()
    const range = scale?.getVisibleLogicalRange()
    if (scale === undefined || range === null || range === undefined) return []
    const zero = scale.logicalToCoordinate(0 as Logical)
    const secondX = scale.logicalToCoordinate(1 as Logical)
    if (zero === null || secondX === null) return []
    const width = secondX - zero
    const from = Math.max(0, Math.floor(range.from) - 1)
    const bars = this.#bars.slice(from, Math.ceil(range.to) + 2)
    return bars.map((bar, index) => {
      const x = zero + (from + index - 0.5) * width
      return { x, end: x + width, bar }
    })
  }

  #band(context: CanvasRenderingContext2D, points: readonly Point[], colour: string): void {
    context.fillStyle = colour
    for (const { x, end, bar } of points) {
      if (bar.bid === null || bar.ask === null) continue
      const [top, bottom] = [this.#yOf(bar.ask), this.#yOf(bar.bid)]
      if (top !== null && bottom !== null) {
        context.fillRect(x, top, end - x, Math.max(1, bottom - top))
      }
    }
  }

  #area(
    context: CanvasRenderingContext2D,
    points: readonly Point[],
    colour: string,
    height: number,
  ): void {
    context.fillStyle = colour
    for (const { x, end, bar } of points) {
      const y = bar.price === null ? null : this.#yOf(bar.price)
      if (y !== null) context.fillRect(x, y, end - x, height - y)
    }
  }

  #line(
    context: CanvasRenderingContext2D,
    points: readonly Point[],
    { line, old }: LineColours,
  ): void {
    // Behind candles a thin line joins what would be single dashes in a quiet market.
    const isBehind = this.#type === 'candles' || this.#type === 'mid-candles'
    context.lineWidth = isBehind ? 1 : 1.5
    context.lineJoin = 'round'
    for (const run of runsOf(points)) {
      const isOld = run[0]?.bar.isOld === true
      context.strokeStyle = isOld || isBehind ? old : line
      context.setLineDash(isOld ? [3, 3] : [])
      context.beginPath()
      let isFirst = true
      for (const { x, end, bar } of run) {
        const y = this.#yOf(bar.price ?? 0)
        if (y === null) continue
        const at = this.#type === 'line' ? (x + end) / 2 : x
        if (isFirst) context.moveTo(at, y)
        else context.lineTo(at, y)
        if (this.#type !== 'line' || run.length === 1) context.lineTo(end, y)
        isFirst = false
      }
      context.stroke()
    }
  }
}

/**
 * Runs of points with a price, split where its age changes; such a run starts at the end of the
 * one before.
 */
function runsOf(points: readonly Point[]): readonly (readonly Point[])[] {
  const runs: Point[][] = []
  let previous: Point | null = null
  for (const point of points) {
    const { price, isOld } = point.bar
    if (price !== null && previous !== null && previous.bar.isOld === isOld)
      runs.at(-1)?.push(point)
    else if (price !== null) {
      const joint = previous === null ? [] : [{ ...previous, bar: { ...previous.bar, isOld } }]
      runs.push([...joint, point])
    }
    previous = price === null ? null : point
  }
  return runs
}
