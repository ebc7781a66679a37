import { roundTo } from '../../domain/units.ts'
import type { Cents } from '../../domain/units.ts'
import { isAboveMoverFloor } from '../../domain/world/mover-floor.ts'
import { largest } from '../../domain/world/top-rows.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import type { MarketView } from './market-board.ts'

/** A market with its price at the start of a window. */
export interface PriceMove {
  readonly view: MarketView
  readonly from: Cents
  /** Cents. */
  readonly delta: number
}

/** The price change of a market since an earlier price; null when one is unknown. */
export function moveSince(view: MarketView, from: Cents | null): PriceMove | null {
  if (view.price === null || from === null) return null
  return { view, from, delta: roundTo(view.price - from, 2) }
}

/** The change of the last 24 hours. */
export const moveOfDay = (view: MarketView): PriceMove | null =>
  view.price === null || view.change24h === null
    ? null
    : moveSince(view, roundTo(view.price - view.change24h, 4) as Cents)

/** Whether the moves of a market are listed: it is tradable and traded. */
export const isMovable = (view: MarketView): boolean =>
  view.liquidityScore !== 'low' && isAboveMoverFloor(view)

/**
 * Price moves of tradable and traded markets, largest first, ties by ticker.
 * @param min minimum move in cents; the default is the world's threshold
 */
export function topMoves(
  views: readonly MarketView[],
  moveOf: (view: MarketView) => PriceMove | null,
  limit: number,
  min: number = WORLD_LIST_PARAMS.moverDelta,
): PriceMove[] {
  const moves = views.flatMap((view) => {
    const move = isMovable(view) ? moveOf(view) : null
    return move === null || move.delta === 0 || Math.abs(move.delta) < min ? [] : [move]
  })
  return largest(
    moves,
    limit,
    ({ delta }) => Math.abs(delta),
    ({ view }) => view.facts.ticker,
  )
}
