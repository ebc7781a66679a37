import type { DrawnPoint, NewDrawing, SpanKind } from '../../../charts/layers/drawing.ts'

export type ToolKind = SpanKind | 'text' | 'level'

export const TOOL_LABELS: Readonly<Record<ToolKind, string>> = {
  level: 'Horizontal level',
  trend: 'Trend line',
  range: 'Range',
  measure: 'Measured move',
  text: 'Text',
}
export const TOOLS = Object.keys(TOOL_LABELS) as readonly ToolKind[]

/** A price on the scale, to a tenth of a cent. */
const clampPrice = (price: number) => Math.max(0, Math.min(100, Math.round(price * 10) / 10))

/** A drawing in progress: its points are placed one after the other. */
export class DrawingTool {
  kind = $state<ToolKind | null>(null)
  /** The point that the next click or Enter places. */
  at = $state.raw<DrawnPoint | null>(null)
  /** The first point of a drawing with two. */
  from = $state.raw<DrawnPoint | null>(null)
  /** Where a text is being typed. */
  textAt = $state.raw<DrawnPoint | null>(null)
  readonly #add: (drawing: NewDrawing) => void
  /** Receives the price of a line that is moved; null while something new is drawn. */
  #onMoved: ((price: number) => void) | null = null

  readonly draft: NewDrawing | null = $derived.by(() => {
    const { kind, at, from } = this
    if (kind === null || at === null) return null
    if (kind === 'level') return { kind, price: at.price }
    if (kind === 'text') return { kind, at, text: '…' }
    return { kind, from: from ?? at, to: at }
  })

  /** @param add stores a finished drawing */
  constructor(add: (drawing: NewDrawing) => void) {
    this.#add = add
  }

  /** Begins a drawing at a point, which keys or the pointer then move. */
  begin(kind: ToolKind, at: DrawnPoint | null): void {
    this.cancel()
    this.kind = kind
    this.at = at
  }

  /** Moves an existing line, from a point on it. */
  moveLevel(at: DrawnPoint, onMoved: (price: number) => void): void {
    this.begin('level', at)
    this.#onMoved = onMoved
  }

  move(at: DrawnPoint): void {
    this.at = at
  }

  moveBy(seconds: number, cents: number): void {
    const { at } = this
    if (at !== null) this.at = { time: at.time + seconds, price: clampPrice(at.price + cents) }
  }

  /** Places the point; the last one finishes the drawing. */
  place(): void {
    const { kind, at, from } = this
    if (kind === null || at === null) return
    if (kind === 'text') {
      this.textAt = at
      this.kind = null
      return
    }
    if (kind !== 'level' && from === null) {
      this.from = at
      return
    }
    if (this.#onMoved !== null) this.#onMoved(at.price)
    else if (kind === 'level') this.#add({ kind, price: at.price })
    else if (from !== null) this.#add({ kind, from, to: at })
    this.cancel()
  }

  write(text: string): void {
    const { textAt } = this
    if (textAt !== null && text.trim() !== '') {
      this.#add({ kind: 'text', at: textAt, text: text.trim() })
    }
    this.textAt = null
  }

  cancel(): void {
    this.kind = null
    this.at = null
    this.from = null
    this.textAt = null
    this.#onMoved = null
  }
}
