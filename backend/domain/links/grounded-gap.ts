import { logit, sigmoid } from '../statistics/statistics.ts'
import type { ContagionGap, ContagionMarket } from './contagion.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

type GapEnd = Pick<ContagionMarket, 'before' | 'move'>

/** Whether a link joins one question on two venues, so that a cent there is a cent here. */
export const isSameQuestion = (
  { kind, confidence }: Pick<ContagionGap['link'], 'kind' | 'confidence'>,
  params: LinkParams = LINK_PARAMS,
): boolean => kind === 'cross_venue' && confidence >= params.sameQuestion

/**
 * Whether a gap shows that two prices disagree, and not only that one market moved by itself:
 * one question must be priced apart now, a rung of a ladder can be expected to make no more than an equal shift of
 * the log odds, and a habit of past prices must be known from enough hours and say that a move is
 * still to come.
 * @param responseHours hours on which the estimated response rests
 */
export function isGrounded(
  gap: Pick<ContagionGap, 'link' | 'direction' | 'gap' | 'expected'>,
  trigger: GapEnd,
  laggingEnd: GapEnd,
  responseHours: number,
  params: LinkParams = LINK_PARAMS,
): boolean {
  const { link } = gap
  const [from, to] = [priceNow(trigger), priceNow(laggingEnd)]
  if (from === null || to === null) return false
  if (isSameQuestion(link, params)) {
    const priceDistance = (link.sign > 0 ? from : 100 - from) - to
    return priceDistance * Math.sign(gap.gap) >= params.gap.min
  }
  if (link.kind === 'ladder') return ladderGap(gap, trigger, laggingEnd) >= params.gap.min
  if (link.kind === 'same_event_exclusive') return true
  const isKnown = link.kind === 'lead_lag' || responseHours >= params.priorHours
  return isKnown && gap.direction === 'lagging'
}

const priceNow = ({ before, move }: GapEnd): number | null =>
  before === null || move === null ? null : before + move

/** Size of a ladder's gap when the rung is expected to shift by at most the trigger's log odds, cents. */
function ladderGap(
  { link, gap, expected }: Pick<ContagionGap, 'link' | 'gap' | 'expected'>,
  trigger: GapEnd,
  laggingEnd: GapEnd,
): number {
  const [baselinePrice, move] = [trigger.before ?? 0, trigger.move ?? 0]
  const start = laggingEnd.before ?? 0
  const shift = link.sign * (logit((baselinePrice + move) / 100) - logit(baselinePrice / 100))
  const possible = 100 * sigmoid(logit(start / 100) + shift) - start
  const pending = Math.abs(possible) < Math.abs(expected) ? possible : expected
  return (pending - (laggingEnd.move ?? 0)) * Math.sign(gap)
}
