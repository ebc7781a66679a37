import type { ChartBar } from '../chart-bars.ts'
import type { ChartLayer, ChartParts } from './chart-layer.ts'
import type { ChartColours } from './chart-colours.ts'
import type { Drawing, DrawnPoint, NewDrawing } from './drawing.ts'
import { moveText } from './drawing-shapes.ts'
import { TimedUnderlay } from '../timed-underlay.ts'
import type { DrawTarget } from '../underlay.ts'

type Shape = Drawing | NewDrawing

/** The middle of the row of pixels at `y`: a flat line between two rows would be pale. */
const pixelAligned = (y: number): number => Math.floor(y) + 0.5

class DrawnShapes extends TimedUnderlay<ChartColours> {
  readonly #yOf: ChartParts['yOf']
  #shapes: readonly Shape[] = []
  #draft: Shape | null = null

  constructor(yOf: ChartParts['yOf']) {
    super()
    this.#yOf = yOf
  }

  show(shapes: readonly Shape[], draft: Shape | null): void {
    this.#shapes = shapes
    this.#draft = draft
    this.chart?.requestUpdate()
  }

  override zOrder(): 'top' {
    return 'top'
  }

  draw(target: DrawTarget): void {
    const { colours } = this
    const xOf = this.positions()
    if (xOf === null || colours === null) return
    const coordinatesOf = ({ time, price }: DrawnPoint) => {
      const y = this.#yOf(price)
      return y === null ? null : { x: xOf(time), y }
    }
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      context.font = `11px ${colours.fontFamily}`
      context.lineWidth = 1.5
      for (const shape of this.#shapes)
        this.#drawShape(context, shape, colours.event, coordinatesOf)
      if (this.#draft !== null) {
        context.setLineDash([4, 3])
        this.#drawShape(context, this.#draft, colours.text, coordinatesOf)
        const y = this.#draft.kind === 'level' ? this.#yOf(this.#draft.price) : null
        if (y !== null) {
          context.beginPath()
          context.moveTo(0, y)
          context.lineTo(mediaSize.width, y)
          context.stroke()
        }
      }
      context.restore()
    })
  }

  #drawShape(
    context: CanvasRenderingContext2D,
    shape: Shape,
    colour: string,
    coordinatesOf: (point: DrawnPoint) => { readonly x: number; readonly y: number } | null,
  ): void {
    context.strokeStyle = colour
    context.fillStyle = colour
    if (shape.kind === 'level') return
    if (shape.kind === 'text') {
      const at = coordinatesOf(shape.at)
      if (at === null) return
      context.beginPath()
      context.arc(at.x, at.y, 2.5, 0, 2 * Math.PI)
      context.fill()
      context.fillText(shape.text, at.x + 6, at.y + 4)
      return
    }
    const [from, to] = [coordinatesOf(shape.from), coordinatesOf(shape.to)]
    if (from === null || to === null) return
    if (shape.kind === 'trend') {
      const isFlat = Math.abs(from.y - to.y) < 0.5
      context.beginPath()
      context.moveTo(from.x, isFlat ? pixelAligned(from.y) : from.y)
      context.lineTo(to.x, isFlat ? pixelAligned(from.y) : to.y)
      context.stroke()
      return
    }
    context.globalAlpha = 0.14
    context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y)
    context.globalAlpha = 1
    context.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y)
    if (shape.kind !== 'measure') return
    const middle = (from.x + to.x) / 2
    context.beginPath()
    context.moveTo(middle, from.y)
    context.lineTo(middle, to.y)
    context.stroke()
    const isDown = to.y > from.y
    context.textAlign = 'center'
    context.fillText(moveText(shape), middle, to.y + (isDown ? 14 : -6))
    context.textAlign = 'left'
  }
}

/** The user's drawings on a market, except levels, and the drawing in progress. */
export class DrawingsLayer implements ChartLayer {
  #parts: ChartParts | null = null
  #drawnShapes: DrawnShapes | null = null

  attach(parts: ChartParts): void {
    this.#parts = parts
    this.#drawnShapes = new DrawnShapes(parts.yOf)
    parts.price.attachPrimitive(this.#drawnShapes)
  }

  detach(): void {
    if (this.#drawnShapes !== null) this.#parts?.price.detachPrimitive(this.#drawnShapes)
    this.#drawnShapes = null
  }

  show(drawings: readonly Drawing[], draft: NewDrawing | null): void {
    this.#drawnShapes?.show(drawings, draft)
  }

  colour(colours: ChartColours): void {
    this.#drawnShapes?.colour(colours)
  }

  draw(bars: readonly ChartBar[]): void {
    const [first, second] = bars
    const isEven = first !== undefined && second !== undefined
    this.#drawnShapes?.measure(
      isEven ? { start: first.time, seconds: second.time - first.time } : null,
    )
  }
}
