import { meanOf, wilsonInterval } from '../statistics.ts'
import type { Interval } from '../statistics.ts'
import type { LinkKind } from './link-graph.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

/** Hours after which a gap is looked at again. */
export const RECORD_HOURS = [1, 6, 24] as const

/** A served gap and what was left of it later; null where that is not known (yet). */
export interface TrackedGap {
  readonly kind: LinkKind
  readonly gap: number
  /** Gap that is left after 1, 6 and 24 hours. */
  readonly after: Readonly<Record<1 | 6 | 24, number | null>>
}

/** How the gaps of one kind did. */
export interface GapRecord {
  readonly kind: LinkKind
  readonly n: number
  /** Mean share closed after 1, 6 and 24 hours, with the gaps known then. */
  readonly closed: readonly { readonly hours: number; readonly share: number; readonly n: number }[]
  /** Share of gaps smaller after 24 hours, with Wilson's interval. */
  readonly hitRate: number | null
  readonly hitInterval: Interval | null
  /** Enough gaps, and no sign that they close. */
  readonly unproven: boolean
}

/** Share of a gap that closed, negative when it grew; null for no gap. */
export const closedShare = (gap: number, after: number | null): number | null =>
  after === null || gap === 0 ? null : 1 - after / gap

/** Records by kind, ascending; methodology D6. */
export function gapRecords(
  gaps: readonly TrackedGap[],
  params: LinkParams = LINK_PARAMS,
): GapRecord[] {
  const kinds = [...new Set(gaps.map(({ kind }) => kind))].sort()
  return kinds.map((kind) => recordOf(kind, gaps.filter((gap) => gap.kind === kind), params)) // prettier-ignore
}

function recordOf(kind: LinkKind, gaps: readonly TrackedGap[], params: LinkParams): GapRecord {
  const sharesAfter = (hours: 1 | 6 | 24): number[] =>
    gaps.flatMap(({ gap, after }) => closedShare(gap, after[hours]) ?? [])
  const closed = RECORD_HOURS.flatMap((hours) => {
    const shares = sharesAfter(hours)
    const share = meanOf(shares)
    return share === null ? [] : [{ hours, share, n: shares.length }]
  })
  const last = sharesAfter(24)
  const hits = last.filter((share) => share > 0).length
  const hitInterval = wilsonInterval(hits, last.length)
  return {
    kind,
    n: gaps.length,
    closed,
    hitRate: last.length === 0 ? null : hits / last.length,
    hitInterval,
    unproven:
      last.length >= params.record.proofFrom &&
      hitInterval !== null &&
      hitInterval.low < params.record.proofRate,
  }
}
