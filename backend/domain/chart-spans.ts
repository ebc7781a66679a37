/** Drawings between two points: trend line, range box and measured move. */
export const SPAN_KINDS = ['trend', 'range', 'measure'] as const
export type SpanKind = (typeof SPAN_KINDS)[number]
