import type { ChartBar } from '../chart-bars.ts'
import { arePlacedEqually, type PlacedMark } from '../mark-kinds.ts'
import { TimedUnderlay } from '../timed-underlay.ts'
import type { DrawTarget } from '../underlay.ts'
import type { ChartColours } from './chart-colours.ts'
import type { ChartLayer, ChartParts } from './chart-layer.ts'

/** The user's fill as a chart draws it. */
export interface OwnFill {
  readonly id: string
  /** Unix seconds. */
  readonly time: number
  /** Cents of YES. */
  readonly price: number
  readonly side: 'yes' | 'no'
  readonly action: 'buy' | 'sell'
}

const HALF = 5

class FillTriangles extends TimedUnderlay<ChartColours> {
  readonly #yOf: ChartParts['yOf']
  readonly #onplaced: (marks: readonly PlacedMark[]) => void
  #fills: readonly OwnFill[] = []
  #placedMarks: readonly PlacedMark[] = []

  constructor(yOf: ChartParts['yOf'], onplaced: (marks: readonly PlacedMark[]) => void) {
    super()
    this.#yOf = yOf
    this.#onplaced = onplaced
  }

  show(fills: readonly OwnFill[]): void {
    this.#fills = fills
    this.chart?.requestUpdate()
  }

  override zOrder(): 'top' {
    return 'top'
  }

  draw(target: DrawTarget): void {
    const { colours } = this
    const xOf = this.positions()
    if (xOf === null || colours === null) return
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const placedMarks: PlacedMark[] = []
      context.save()
      context.strokeStyle = colours.background
      context.lineWidth = 1.5
      for (const { id, time, price, side, action } of this.#fills) {
        const x = xOf(time)
        const y = this.#yOf(price)
        if (y === null || x < 0 || x > mediaSize.width || y < 0 || y > mediaSize.height) continue
        const tip = action === 'buy' ? -HALF : HALF
        context.fillStyle = side === 'yes' ? colours.up : colours.down
        context.beginPath()
        context.moveTo(x, y + tip)
        context.lineTo(x + HALF + 1, y - tip)
        context.lineTo(x - HALF - 1, y - tip)
        context.closePath()
        context.fill()
        context.stroke()
        placedMarks.push({ id, x, y })
      }
      context.restore()
      if (arePlacedEqually(placedMarks, this.#placedMarks)) return
      this.#placedMarks = placedMarks
      this.#onplaced(placedMarks)
    })
  }
}

/** The user's fills at their price: upward triangles buy, downward ones sell. */
export class FillsLayer implements ChartLayer {
  readonly #onplaced: (marks: readonly PlacedMark[]) => void
  #parts: ChartParts | null = null
  #triangles: FillTriangles | null = null

  /** @param onplaced receives the marks of the fills in view whenever they change */
  constructor(onplaced: (marks: readonly PlacedMark[]) => void) {
    this.#onplaced = onplaced
  }

  attach(parts: ChartParts): void {
    this.#parts = parts
    this.#triangles = new FillTriangles(parts.yOf, this.#onplaced)
    parts.price.attachPrimitive(this.#triangles)
  }

  detach(): void {
    if (this.#triangles !== null) this.#parts?.price.detachPrimitive(this.#triangles)
    this.#triangles = null
    this.#onplaced([])
  }

  show(fills: readonly OwnFill[]): void {
    this.#triangles?.show(fills)
  }

  colour(colours: ChartColours): void {
    this.#triangles?.colour(colours)
  }

  draw(bars: readonly ChartBar[]): void {
    const [first, second] = bars
    const isEven = first !== undefined && second !== undefined
    this.#triangles?.measure(
      isEven ? { start: first.time, seconds: second.time - first.time } : null,
    )
  }
}
