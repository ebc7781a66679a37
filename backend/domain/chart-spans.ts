/** Drawings between two points: a line, a box, and a measured move. */
export const SPAN_KINDS = ['trend', 'range', 'measure'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]
