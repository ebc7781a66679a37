import { TimedUnderlay } from './timed-underlay.ts'
import type { DrawTarget } from './underlay.ts'

/** One trade as a chart draws it. */
export interface Print {
  readonly id: string
  /** Unix seconds with fractions. */
  readonly time: number
  /** Cents. */
  readonly price: number
  /** Contracts. */
  readonly size: number
  /** Side that the taker bought; null when unknown. */
  readonly side: 'yes' | 'no' | null
}

interface DotColours {
  readonly yes: string
  readonly no: string
  readonly unknown: string
}

const MIN_RADIUS = 1.5
const MAX_RADIUS = 5
/** Contracts of a dot of the largest radius. */
const MAX_SIZE = 2_000

/** Radius of a trade's dot in px: its area grows with the size. */
export const radiusOf = (size: number): number =>
  MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(Math.min(1, Math.max(0, size) / MAX_SIZE))

/** Trades as dots at their price and time: filled when the taker bought YES, hollow otherwise. */
export class PrintDots extends TimedUnderlay<DotColours> {
  #prints: readonly Print[] = []
  #isHidden = false
  readonly #yOf: (cents: number) => number | null

  constructor(yOf: (cents: number) => number | null) {
    super()
    this.#yOf = yOf
  }

  hide(isHidden: boolean): void {
    this.#isHidden = isHidden
    this.chart?.requestUpdate()
  }

  show(prints: readonly Print[]): void {
    this.#prints = prints
    this.chart?.requestUpdate()
  }

  /** Above the grid. */
  override zOrder(): 'normal' {
    return 'normal'
  }

  draw(target: DrawTarget): void {
    const { colours } = this
    const xOf = this.positions()
    if (xOf === null || colours === null || this.#isHidden) return
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      context.lineWidth = 1
      for (const { time, price, size, side } of this.#prints) {
        const x = xOf(time)
        if (x < -MAX_RADIUS || x > mediaSize.width + MAX_RADIUS) continue
        const y = this.#yOf(price)
        if (y === null) continue
        context.beginPath()
        context.arc(x, y, radiusOf(size), 0, 2 * Math.PI)
        if (side === 'yes') {
          context.fillStyle = colours.yes
          context.fill()
        } else {
          context.strokeStyle = side === 'no' ? colours.no : colours.unknown
          context.stroke()
        }
      }
      context.restore()
    })
  }
}
