import type { ContagionGap, ContagionMarket } from './contagion.ts'

/** Sum of the outcomes' moves up to which the prices of an exclusive event stay consistent, cents. */
const CONSISTENT = 5
/** Least distance of the sum of an exclusive event's prices from 100 that a move could close, cents. */
const OPEN = 3
/** Sum of prices, cents, below which outcomes without a market are likely. */
const LIKELY_COMPLETE = 90

/** Sums over all live outcomes of an event, cents; null when one is unknown. */
export interface EventSums {
  readonly moves: number | null
  readonly prices: number | null
}

/**
 * Whether a gap inside one event is part of a change of its implied distribution. Probability that
 * moves from one outcome of an exclusive event to another is no gap as long as their sum stays the
 * same, nor when the expected move would take their sum away from 100; and a rung that moved more
 * than its neighbour is none as long as their order stays.
 */
export function isStructural(
  { link: { kind, sign }, direction, gap }: Pick<ContagionGap, 'link' | 'direction' | 'gap'>,
  trigger: Pick<ContagionMarket, 'before' | 'move'>,
  laggingMarket: Pick<ContagionMarket, 'before' | 'move'>,
  { moves, prices }: EventSums,
): boolean {
  if (kind === 'same_event_exclusive') {
    const isComplete = prices !== null && prices >= LIKELY_COMPLETE
    if (isComplete && (100 - prices) * Math.sign(gap) < OPEN) return true
    return moves !== null && Math.abs(moves) < CONSISTENT
  }
  if (kind !== 'ladder' || sign < 0 || direction !== 'overshooting') return false
  if (trigger.before === null || laggingMarket.before === null) return false
  const previous = trigger.before - laggingMarket.before
  const now = previous + (trigger.move ?? 0) - (laggingMarket.move ?? 0)
  return previous * now > 0
}
