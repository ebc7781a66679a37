import type { ISeriesPrimitiveAxisView, Logical } from 'lightweight-charts'
import type { PriceSpan } from './chart-layer.ts'
import { Underlay, type DrawTarget } from '../underlay.ts'

/** One line over the bars of a chart. */
export interface OverlayLine {
  readonly id: string
  readonly label: string
  /** Index of its colour among those of the theme. */
  readonly colour: number
  readonly dash: readonly number[]
  /** Steps hold a value until the next bar. */
  readonly isStepped: boolean
  /** One value a bar, in the unit of its axis; null leaves a gap. */
  readonly values: readonly (number | null)[]
  /** Whether the axis shows its newest value. */
  readonly isLabelled: boolean
}

/** Dashes in the order of a legend, so that lines differ by more than colour. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4]]

export interface OverlayStyle {
  readonly colours: readonly string[]
  readonly background: string
  readonly text: string
  readonly font: string
}

/** Lowest and highest value of lines between two indexes; null when none is known. */
export function spanOfLines(
  lines: readonly Pick<OverlayLine, 'values'>[],
  from: number,
  to: number,
): PriceSpan | null {
  let [low, high] = [Infinity, -Infinity]
  for (const { values } of lines) {
    for (let index = Math.max(0, from); index <= to && index < values.length; index += 1) {
      const value = values[index] ?? null
      if (value === null) continue
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  return low > high ? null : { low, high }
}

interface Texts {
  readonly title: string
  readonly guides: readonly number[]
  /** Text of an axis label. */
  readonly text: (value: number) => string
}

/** Draws lines with gaps, a title and guide lines on one pane of a chart. */
export class OverlayLines extends Underlay {
  #lines: readonly OverlayLine[] = []
  #style: OverlayStyle | null = null
  #axisViews: readonly ISeriesPrimitiveAxisView[] = []
  readonly #yOf: (value: number) => number | null
  readonly #texts: Texts

  constructor(yOf: (value: number) => number | null, texts: Texts) {
    super()
    this.#yOf = yOf
    this.#texts = texts
  }

  show(lines: readonly OverlayLine[]): void {
    this.#lines = lines
    this.#label()
    this.chart?.requestUpdate()
  }

  colour(style: OverlayStyle): void {
    this.#style = style
    this.#label()
    this.chart?.requestUpdate()
  }

  override zOrder(): 'normal' {
    return 'normal'
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#axisViews
  }

  colourOf(line: OverlayLine): string {
    const { colours } = this.#style ?? { colours: [] }
    return colours[line.colour % Math.max(1, colours.length)] ?? ''
  }

  #label(): void {
    this.#axisViews = this.#lines.flatMap((line) => {
      const value = line.values.findLast((candidate) => candidate !== null) ?? null
      if (value === null || !line.isLabelled) return []
      return [
        {
          coordinate: () => this.#yOf(value) ?? -100,
          text: () => this.#texts.text(value),
          textColor: () => this.#style?.background ?? '',
          backColor: () => this.colourOf(line),
        },
      ]
    })
  }

  draw(target: DrawTarget): void {
    const scale = this.chart?.chart.timeScale()
    const range = scale?.getVisibleLogicalRange()
    const style = this.#style
    if (scale === undefined || style === null || range === null || range === undefined) return
    const zero = scale.logicalToCoordinate(0 as Logical)
    const secondX = scale.logicalToCoordinate(1 as Logical)
    if (zero === null || secondX === null) return
    const [from, to] = [Math.max(0, Math.floor(range.from) - 1), Math.ceil(range.to) + 1]
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.save()
      for (const guide of this.#texts.guides) this.#guide(context, guide, mediaSize.width)
      context.lineWidth = 1.5
      context.lineJoin = 'round'
      for (const line of this.#lines) {
        context.strokeStyle = this.colourOf(line)
        context.setLineDash([...line.dash])
        context.beginPath()
        this.#drawPath(context, line, { from, to, zero, width: secondX - zero })
        context.stroke()
      }
      if (this.#texts.title !== '') {
        context.font = `11px ${style.font}`
        context.fillStyle = style.text
        context.textBaseline = 'top'
        context.fillText(this.#texts.title, 10, 4)
      }
      context.restore()
    })
  }

  #guide(context: CanvasRenderingContext2D, value: number, width: number): void {
    const y = this.#yOf(value)
    if (y === null) return
    context.strokeStyle = this.#style?.text ?? ''
    context.globalAlpha = 0.45
    context.lineWidth = 1
    context.setLineDash([2, 4])
    context.beginPath()
    context.moveTo(0, Math.round(y) + 0.5)
    context.lineTo(width, Math.round(y) + 0.5)
    context.stroke()
    context.globalAlpha = 1
  }

  #drawPath(
    context: CanvasRenderingContext2D,
    { values, isStepped }: OverlayLine,
    { from, to, zero, width }: Readonly<Record<'from' | 'to' | 'zero' | 'width', number>>,
  ): void {
    let isOpen = false
    for (let index = from; index <= to && index < values.length; index += 1) {
      const value = values[index] ?? null
      const y = value === null ? null : this.#yOf(value)
      if (y === null) {
        isOpen = false
        continue
      }
      const centre = zero + index * width
      const x = isStepped ? centre - width / 2 : centre
      if (isOpen) context.lineTo(x, y)
      else context.moveTo(x, y)
      // A single value between gaps is a dash, not nothing.
      if (isStepped || (!isOpen && (values[index + 1] ?? null) === null)) {
        context.lineTo(x + width, y)
      }
      isOpen = true
    }
  }
}
