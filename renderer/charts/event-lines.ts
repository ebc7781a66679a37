import type { Logical } from 'lightweight-charts'
import { arePlacedEqually, type PlacedMark } from './mark-kinds.ts'
import { placeOnAxis, type Axis } from './series.ts'
import { Underlay, type DrawTarget } from './underlay.ts'

/** An instant that a chart marks, in Unix seconds, with a short label. */
export interface Instant {
  readonly id: string
  readonly time: number
  readonly word: string
  /** One of many: a diamond without line and label. */
  readonly isMinor: boolean
}

const DIAMOND = 4
/** Labels nearer to each other than this would overlap. */
const MIN_GAP_PX = 72

/** Dashed vertical lines at instants, including instants after the newest bar. */
export class EventLines extends Underlay {
  #instants: readonly Instant[] = []
  #axis: Axis | null = null
  #colour = ''
  #font = ''
  #placed: readonly PlacedMark[] = []
  readonly #onplaced: (places: readonly PlacedMark[]) => void

  /** @param onplaced receives the places of the diamonds in view whenever they change */
  constructor(onplaced: (places: readonly PlacedMark[]) => void) {
    super()
    this.#onplaced = onplaced
  }

  mark(instants: readonly Instant[]): void {
    this.#instants = instants.toSorted((left, right) => left.time - right.time)
    this.chart?.requestUpdate()
  }

  /** Maps times to coordinates; null while there is no bar. */
  measure(axis: Axis | null): void {
    this.#axis = axis
  }

  colour(colour: string, font: string): void {
    this.#colour = colour
    this.#font = font
    this.chart?.requestUpdate()
  }

  draw(target: DrawTarget): void {
    const scale = this.chart?.chart.timeScale()
    const axis = this.#axis
    if (scale === undefined || axis === null || this.#instants.length === 0) {
      this.#report([])
      return
    }
    // The library positions whole slots only; the axis is even, so two of them give all others.
    const [zero, one] = [0, 1].map((slot) => scale.logicalToCoordinate(slot as Logical))
    if (zero === null || zero === undefined || one === null || one === undefined) return
    const places = this.#instants.map(({ id, time, word, isMinor }) => ({
      id,
      isMinor,
      x: zero + placeOnAxis(axis, time) * (one - zero),
      word,
    }))
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      context.strokeStyle = this.#colour
      context.fillStyle = this.#colour
      context.font = `10px ${this.#font}`
      context.textBaseline = 'bottom'
      let worded = -Infinity
      const placed: PlacedMark[] = []
      for (const { id, x, word, isMinor } of places) {
        if (x < 0 || x > mediaSize.width) continue
        if (!isMinor) {
          context.setLineDash([4, 4])
          context.beginPath()
          context.moveTo(x, 0)
          context.lineTo(x, mediaSize.height)
          context.stroke()
        }
        const y = mediaSize.height - DIAMOND - 2
        placed.push({ id, x, y })
        context.beginPath()
        context.moveTo(x, y - DIAMOND)
        context.lineTo(x + DIAMOND, y)
        context.lineTo(x, y + DIAMOND)
        context.lineTo(x - DIAMOND, y)
        context.fill()
        if (isMinor || x - worded < MIN_GAP_PX) continue
        const isLate = x + MIN_GAP_PX > mediaSize.width
        context.textAlign = isLate ? 'right' : 'left'
        context.fillText(word, isLate ? x - DIAMOND - 3 : x + DIAMOND + 3, mediaSize.height - 2)
        worded = x
      }
      context.restore()
      this.#report(placed)
    })
  }

  #report(placed: readonly PlacedMark[]): void {
    if (arePlacedEqually(placed, this.#placed)) return
    this.#placed = placed
    this.#onplaced(placed)
  }
}
