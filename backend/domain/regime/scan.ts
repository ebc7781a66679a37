import type { EventType, Observability } from '../topics/event-type-rules.ts'
import type { Ticker, Venue } from '../market.ts'
import type { RegimeLabel } from './label.ts'

/** The fields of a market with a regime that the scan uses. */
export interface RegimeScanRow {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly category: string
  readonly topics: readonly string[]
  readonly label: RegimeLabel
  readonly score: number | null
  readonly eventType: EventType
  readonly observability: Observability
  readonly volume24hUsd: number | null
  readonly spread: number | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  /** Largest absolute edge of any kind of part E, cents. */
  readonly edge: number | null
  readonly tau: number | null
}

export const REGIME_SORTS = ['score', 'volume24h', 'spread', 'depth', 'edge', 'tau'] as const
export type RegimeSort = (typeof REGIME_SORTS)[number]

/** Absent fields match any. Bounds are inclusive; an unknown quantity fails a bound. */
export interface RegimeFilter {
  readonly label?: RegimeLabel
  readonly minScore?: number
  readonly maxScore?: number
  readonly venue?: Venue
  readonly eventType?: EventType
  readonly observability?: Observability
  readonly hasEdge?: boolean
  readonly category?: string
  readonly topic?: string
  readonly minVolumeUsd?: number
}

export interface RegimeScanParams {
  /** Minimum absolute edge, cents, of a market with an edge. */
  readonly minEdge: number
}
export const REGIME_SCAN_PARAMS: RegimeScanParams = { minEdge: 1 }

/** Dollars of the thinner side; null when a side is unknown. */
const depthOf = ({ bidDepthUsd, askDepthUsd }: RegimeScanRow): number | null =>
  bidDepthUsd === null || askDepthUsd === null ? null : Math.min(bidDepthUsd, askDepthUsd)

/** Sort key of each sort; an edge by its absolute value. */
export const REGIME_SORT_KEYS: Readonly<Record<RegimeSort, (row: RegimeScanRow) => number | null>> =
  {
    score: ({ score }) => score,
    volume24h: ({ volume24hUsd }) => volume24hUsd,
    spread: ({ spread }) => spread,
    depth: depthOf,
    edge: ({ edge }) => (edge === null ? null : Math.abs(edge)),
    tau: ({ tau }) => tau,
  }

/** Whether a row passes a filter, ignoring its label. */
export function passesRegimeFilter(
  row: RegimeScanRow,
  filter: RegimeFilter,
  params: RegimeScanParams = REGIME_SCAN_PARAMS,
): boolean {
  const { minScore, maxScore, hasEdge, minVolumeUsd, topic } = filter
  const edged = row.edge !== null && Math.abs(row.edge) >= params.minEdge
  return (
    (minScore === undefined || (row.score ?? -1) >= minScore) &&
    (maxScore === undefined || (row.score ?? 2) <= maxScore) &&
    (filter.venue ?? row.venue) === row.venue &&
    (filter.eventType ?? row.eventType) === row.eventType &&
    (filter.observability ?? row.observability) === row.observability &&
    (hasEdge ?? edged) === edged &&
    (filter.category ?? row.category) === row.category &&
    (topic === undefined || row.topics.includes(topic)) &&
    (minVolumeUsd === undefined || (row.volume24hUsd !== null && row.volume24hUsd >= minVolumeUsd))
  )
}
