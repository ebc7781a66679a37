import { arePlacedEqually, type PlacedMark } from './mark-kinds.ts'
import { TimedUnderlay } from './timed-underlay.ts'
import type { DrawTarget } from './underlay.ts'

/** An instant that a chart marks, in Unix seconds, with a short label. */
export interface Instant {
  readonly id: string
  readonly time: number
  readonly label: string
  /** One of many: a diamond without line and label. */
  readonly isMinor: boolean
}

interface LineColours {
  readonly line: string
  readonly font: string
}

const DIAMOND = 4
/** Labels nearer to each other than this would overlap. */
const MIN_GAP_PX = 72

/** Dashed vertical lines at instants, including instants after the newest bar. */
export class EventLines extends TimedUnderlay<LineColours> {
  #instants: readonly Instant[] = []
  #placedMarks: readonly PlacedMark[] = []
  readonly #onplaced: (marks: readonly PlacedMark[]) => void

  /** @param onplaced receives the marks of the diamonds in view whenever they change */
  constructor(onplaced: (marks: readonly PlacedMark[]) => void) {
    super()
    this.#onplaced = onplaced
  }

  setInstants(instants: readonly Instant[]): void {
    this.#instants = instants.toSorted((left, right) => left.time - right.time)
    this.chart?.requestUpdate()
  }

  draw(target: DrawTarget): void {
    const { colours } = this
    const xOf = this.positions()
    if (xOf === null || colours === null || this.#instants.length === 0) return this.#report([])
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      context.strokeStyle = colours.line
      context.fillStyle = colours.line
      context.font = `10px ${colours.font}`
      context.textBaseline = 'bottom'
      let lastLabelX = -Infinity
      const placedMarks: PlacedMark[] = []
      for (const { id, time, label, isMinor } of this.#instants) {
        const x = xOf(time)
        if (x < 0 || x > mediaSize.width) continue
        if (!isMinor) {
          context.setLineDash([4, 4])
          context.beginPath()
          context.moveTo(x, 0)
          context.lineTo(x, mediaSize.height)
          context.stroke()
        }
        const y = mediaSize.height - DIAMOND - 2
        placedMarks.push({ id, x, y })
        context.beginPath()
        context.moveTo(x, y - DIAMOND)
        context.lineTo(x + DIAMOND, y)
        context.lineTo(x, y + DIAMOND)
        context.lineTo(x - DIAMOND, y)
        context.fill()
        if (isMinor || x - lastLabelX < MIN_GAP_PX) continue
        const isNearRightEdge = x + MIN_GAP_PX > mediaSize.width
        context.textAlign = isNearRightEdge ? 'right' : 'left'
        context.fillText(
          label,
          isNearRightEdge ? x - DIAMOND - 3 : x + DIAMOND + 3,
          mediaSize.height - 2,
        )
        lastLabelX = x
      }
      context.restore()
      this.#report(placedMarks)
    })
  }

  #report(placedMarks: readonly PlacedMark[]): void {
    if (arePlacedEqually(placedMarks, this.#placedMarks)) return
    this.#placedMarks = placedMarks
    this.#onplaced(placedMarks)
  }
}
