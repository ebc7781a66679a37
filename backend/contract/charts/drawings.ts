import { t } from 'elysia'
import type { Static } from 'elysia'
import { Iso, stringEnum } from '../schemas.ts'
import { SPAN_KINDS } from '../../domain/chart-spans.ts'

const DrawingId = t.String({ description: 'unique within its market, 1 to 200 characters' })
const DrawingPrice = t.Number({ description: 'cents of YES, 0 to 100' })
const DrawnPoint = t.Object({
  time: t.Number({ description: 'Unix seconds' }),
  price: DrawingPrice,
})
/** A point of a chart. */
export type DrawnPoint = Static<typeof DrawnPoint>

export const LevelDrawing = t.Object({
  id: DrawingId,
  kind: t.Literal('level'),
  price: DrawingPrice,
})
/** A horizontal line. */
export type LevelDrawing = Static<typeof LevelDrawing>
export const SpanDrawing = t.Object({
  id: DrawingId,
  kind: stringEnum(SPAN_KINDS),
  from: DrawnPoint,
  to: DrawnPoint,
})
export type SpanDrawing = Static<typeof SpanDrawing>
export const TextDrawing = t.Object({
  id: DrawingId,
  kind: t.Literal('text'),
  at: DrawnPoint,
  text: t.String({ description: '1 to 120 characters' }),
})
export type TextDrawing = Static<typeof TextDrawing>
export const ChartDrawing = t.Union([LevelDrawing, SpanDrawing, TextDrawing])
export type ChartDrawing = Static<typeof ChartDrawing>

export const MarketDrawingsBody = t.Object({
  ticker: t.String({ description: 'market' }),
  drawings: t.Array(ChartDrawing, { description: 'all of the market, at most 50' }),
})
export const MarketDrawings = t.Object({ ...MarketDrawingsBody.properties, updatedAt: Iso })
export type MarketDrawings = Static<typeof MarketDrawings>

export const ChartDrawings = t.Object({
  markets: t.Array(MarketDrawings, { description: 'last changed first, at most 200' }),
  count: t.Integer(),
})
export type ChartDrawings = Static<typeof ChartDrawings>
