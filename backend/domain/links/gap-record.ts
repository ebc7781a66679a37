import { meanOf, wilsonInterval } from '../statistics/statistics.ts'
import type { Interval } from '../statistics/statistics.ts'
import type { LinkKind } from './link-graph.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

/** Hours after which a gap is measured again. */
export const RECORD_HOURS = [1, 6, 24] as const

/** A served gap and its later values; null while unknown. */
export interface TrackedGap {
  readonly kind: LinkKind
  readonly gap: number
  /** Remaining gap after 1, 6 and 24 hours. */
  readonly after: Readonly<Record<1 | 6 | 24, number | null>>
}

/** Performance of the gaps of one kind. */
export interface GapRecord {
  readonly kind: LinkKind
  readonly n: number
  /** Mean share closed after 1, 6 and 24 hours, with the number of gaps known then. */
  readonly closed: readonly { readonly hours: number; readonly share: number; readonly n: number }[]
  /** Share of gaps that are smaller after 24 hours, with Wilson interval. */
  readonly hitRate: number | null
  readonly hitInterval: Interval | null
  /** True when there are enough gaps but no evidence that they close. */
  readonly unproven: boolean
}

/** Share of a gap that closed, negative when it widened; null for a gap of 0. */
export const closedShare = (gap: number, after: number | null): number | null =>
  after === null || gap === 0 ? null : 1 - after / gap

/** Records by kind, ascending; methodology D6. */
export function gapRecords(
  gaps: readonly TrackedGap[],
  params: LinkParams = LINK_PARAMS,
): GapRecord[] {
  const kinds = [...new Set(gaps.map(({ kind }) => kind))].sort()
  return kinds.map((kind) =>
    recordOf(
      kind,
      gaps.filter((gap) => gap.kind === kind),
      params,
    ),
  )
}

function recordOf(kind: LinkKind, gaps: readonly TrackedGap[], params: LinkParams): GapRecord {
  const sharesAfter = (hours: 1 | 6 | 24): number[] =>
    gaps.flatMap(({ gap, after }) => closedShare(gap, after[hours]) ?? [])
  const closedShares = RECORD_HOURS.flatMap((hours) => {
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
    closed: closedShares,
    hitRate: last.length === 0 ? null : hits / last.length,
    hitInterval,
    unproven:
      last.length >= params.record.proofFrom &&
      hitInterval !== null &&
      hitInterval.low < params.record.proofRate,
  }
}
