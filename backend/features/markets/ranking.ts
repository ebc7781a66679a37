import { comparePositions } from '../../computed/snapshot/sorted-views.ts'
import type { RankOrder, RankPosition } from '../../computed/snapshot/sorted-views.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import type { MarketSort } from '../../contract/markets.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'

export const ORDERS: readonly RankOrder[] = ['asc', 'desc']
export type SortKey = (view: MarketView) => number | null

/** Sort keys of lists; money in dollars, so that venues are comparable. */
export const SORT_KEYS = {
  volume24h: (view) => view.volume24hUsd,
  volume: (view) => volumeUsd(view.volume, view.facts.volumeUnit, view.price),
  closeTime: (view) => view.facts.closeTime,
  price: (view) => view.price,
  spread: (view) => view.spread,
  change24h: (view) => view.change24h,
  openInterest: (view) => volumeUsd(view.openInterest, view.facts.volumeUnit, view.price),
  newest: (view) => view.firstSeenAt,
} satisfies Record<MarketSort, SortKey>

export interface RankedPage {
  readonly rows: readonly MarketView[]
  readonly hasMore: boolean
  /** Position of the last row; null for an empty page. */
  readonly last: RankPosition | null
}

/**
 * One page of a ranked list.
 * @param start number of rows to skip, or the position after which the page starts
 */
export function pageOf(
  views: readonly MarketView[],
  key: SortKey,
  order: RankOrder,
  start: number | RankPosition,
  limit: number,
): RankedPage {
  const compare = comparePositions(order)
  const rankedViews = views
    .map((view) => ({ view, position: [key(view), view.facts.ticker] as const }))
    .filter(({ position }) => typeof start === 'number' || compare(position, start) > 0)
    .sort((a, b) => compare(a.position, b.position))
  const from = typeof start === 'number' ? start : 0
  const page = rankedViews.slice(from, from + limit)
  return {
    rows: page.map(({ view }) => view),
    hasMore: rankedViews.length > from + limit,
    last: page.at(-1)?.position ?? null,
  }
}
