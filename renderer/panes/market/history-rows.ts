import type { FeedGap, PriceChange } from '../../../backend/contract/market-history.ts'

/** A price change, with the state of a feed gap between it and the previous one. */
export interface HistoryRow extends PriceChange {
  readonly gapBefore: FeedGap['state'] | null
}

/** Gaps in price data that could not be filled. */
export const unrepairedGaps = (gaps: readonly FeedGap[]): readonly FeedGap[] =>
  gaps
    .filter(({ state }) => state === 'gap')
    .toSorted((left, right) => (left.from < right.from ? -1 : 1))

/**
 * Price changes with the gaps before them; an open gap takes precedence over a repaired one.
 * @param changes ascending by time
 */
export function historyRows(
  changes: readonly PriceChange[],
  gaps: readonly FeedGap[],
): readonly HistoryRow[] {
  let previous = -Infinity
  return changes.map((change) => {
    const at = Date.parse(change.at)
    const overlappingGaps = gaps.filter(
      ({ from, to }) => Date.parse(from) <= at && Date.parse(to) > previous,
    )
    previous = at
    const isUnrepaired = overlappingGaps.some(({ state }) => state === 'gap')
    return {
      ...change,
      gapBefore: isUnrepaired ? 'gap' : overlappingGaps.length > 0 ? 'repaired' : null,
    }
  })
}
