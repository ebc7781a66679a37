import type { ContagionGap, ContagionMarket } from './contagion.ts'

/** Sum of the outcomes' moves up to which the prices of an exclusive event stay consistent, cents. */
const CONSISTENT = 5

/**
 * Whether a gap inside one event is part of a change of its implied distribution. Probability that
 * moves from one outcome of an exclusive event to another is no gap as long as their sum stays the
 * same, and a rung that moved more than its neighbour is none as long as their order does.
 * @param sumOfMoves of all live outcomes of the event, cents; null when one is unknown
 */
export function isStructural(
  { link: { kind, sign }, direction }: Pick<ContagionGap, 'link' | 'direction'>,
  trigger: Pick<ContagionMarket, 'before' | 'move'>,
  lagging: Pick<ContagionMarket, 'before' | 'move'>,
  sumOfMoves: number | null,
): boolean {
  if (kind === 'same_event_exclusive') {
    return sumOfMoves !== null && Math.abs(sumOfMoves) < CONSISTENT
  }
  if (kind !== 'ladder' || sign < 0 || direction !== 'overshooting') return false
  if (trigger.before === null || lagging.before === null) return false
  const before = trigger.before - lagging.before
  const now = before + (trigger.move ?? 0) - (lagging.move ?? 0)
  return before * now > 0
}
