/** A horizontal line that the user drew. */
export interface DrawnLevel {
  readonly id: string
  readonly kind: 'level'
  /** Cents. */
  readonly price: number
}

/** A point of a chart. */
export interface DrawnPoint {
  /** Unix seconds. */
  readonly time: number
  /** Cents. */
  readonly price: number
}

/** Drawings between two points: a line, a box, and a measured move. */
export const SPAN_KINDS = ['trend', 'range', 'measure'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]

export interface DrawnSpan {
  readonly id: string
  readonly kind: SpanKind
  readonly from: DrawnPoint
  readonly to: DrawnPoint
}

export interface DrawnText {
  readonly id: string
  readonly kind: 'text'
  readonly at: DrawnPoint
  readonly text: string
}
export type Drawing = DrawnLevel | DrawnSpan | DrawnText
/** A drawing before it is kept. */
export type NewDrawing = Omit<DrawnLevel, 'id'> | Omit<DrawnSpan, 'id'> | Omit<DrawnText, 'id'>

export const DRAWING_LABELS: Readonly<Record<Drawing['kind'], string>> = {
  level: 'level',
  trend: 'trend line',
  range: 'range',
  measure: 'measured move',
  text: 'text',
}
