import type {
  ChartDrawing as Drawing,
  DrawnPoint,
  LevelDrawing,
  SpanDrawing,
  TextDrawing,
} from '../../../backend/contract/charts/drawings.ts'

export { SPAN_KINDS, type SpanKind } from '../../../backend/domain/chart-spans.ts'
export type { Drawing, DrawnPoint, SpanDrawing }
/** A drawing before it is kept. */
export type NewDrawing =
  Omit<LevelDrawing, 'id'> | Omit<SpanDrawing, 'id'> | Omit<TextDrawing, 'id'>

export const DRAWING_LABELS: Readonly<Record<Drawing['kind'], string>> = {
  level: 'level',
  trend: 'trend line',
  range: 'range',
  measure: 'measured move',
  text: 'text',
}
