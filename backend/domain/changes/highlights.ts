import type { Ticker } from '../market.ts'
import type { ParamsOf } from '../params.ts'

/** Constants of highlights (methodology F4). */
export const HIGHLIGHT_PARAMS = {
  perList: 3,
  /** Cents of a mover, and strength of an edge, with a magnitude of 1. */
  moverScale: 10,
  edgeScale: 5,
  /** Least executable cents of an edge: less is within the noise of a book. */
  minEdge: 1,
} as const
export type HighlightParams = ParamsOf<typeof HIGHLIGHT_PARAMS>

/** Lists that highlights are selected from; the order breaks ties. */
export const HIGHLIGHT_KINDS = ['mover', 'volume', 'edge', 'contagion', 'resolving', 'new'] as const
export type HighlightKind = (typeof HIGHLIGHT_KINDS)[number]

/** One entry of a list with its score (methodology C2). */
export interface HighlightCandidate {
  readonly kind: HighlightKind
  readonly ticker: Ticker
  /** Venue event; each event is selected once. */
  readonly event: string
  readonly score: number
}

/** Magnitude of a mover: cents moved over ten. */
export const moverMagnitude = (delta: number, params: HighlightParams = HIGHLIGHT_PARAMS): number =>
  Math.abs(delta) / params.moverScale

/** Magnitude of an edge: its strength over five. */
export const edgeMagnitude = (
  strength: number,
  params: HighlightParams = HIGHLIGHT_PARAMS,
): number => strength / params.edgeScale

const byScore = (a: HighlightCandidate, b: HighlightCandidate): number =>
  b.score - a.score ||
  HIGHLIGHT_KINDS.indexOf(a.kind) - HIGHLIGHT_KINDS.indexOf(b.kind) ||
  (a.ticker < b.ticker ? -1 : 1)

/**
 * The best three of each list, each event once with its best entry, by score; ranks are positions.
 */
export function selectHighlights<Candidate extends HighlightCandidate>(
  candidates: readonly Candidate[],
  params: HighlightParams = HIGHLIGHT_PARAMS,
): Candidate[] {
  const events = new Set<string>()
  const counts = new Map<HighlightKind, number>()
  return [...candidates].sort(byScore).filter(({ kind, event }) => {
    const kindCount = counts.get(kind) ?? 0
    if (events.has(event) || kindCount >= params.perList) return false
    events.add(event)
    counts.set(kind, kindCount + 1)
    return true
  })
}
