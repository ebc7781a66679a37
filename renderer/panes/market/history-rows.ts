import type { FeedGap, PriceChange } from '../../api/types.ts'

/** A price change, and what the feed missed between the one before and it. */
export interface HistoryRow extends PriceChange {
  readonly missed: FeedGap['state'] | null
}

/** Feeds that prices come from; a gap in the others hides no price change. */
const PRICE_FEEDS = ['trades', 'quotes']

/** Gaps in what prices are made of that nobody could fill. */
export const unrepaired = (gaps: readonly FeedGap[]): readonly FeedGap[] =>
  gaps
    .filter(({ feed, state }) => state === 'gap' && PRICE_FEEDS.includes(feed))
    .toSorted((left, right) => (left.from < right.from ? -1 : 1))

/**
 * Price changes with the gaps before them; a gap that stays says more than a repaired one.
 * @param changes ascending by time
 */
export function historyRows(
  changes: readonly PriceChange[],
  gaps: readonly FeedGap[],
): readonly HistoryRow[] {
  const relevant = gaps.filter(({ feed }) => PRICE_FEEDS.includes(feed))
  let before = -Infinity
  return changes.map((change) => {
    const at = Date.parse(change.at)
    const crossed = relevant.filter(
      ({ from, to }) => Date.parse(from) <= at && Date.parse(to) > before,
    )
    before = at
    const stays = crossed.some(({ state }) => state === 'gap')
    return { ...change, missed: stays ? 'gap' : crossed.length > 0 ? 'repaired' : null }
  })
}
