import { DIVERGENCE_PARAMS } from '../../backend/domain/world/salient/divergence.ts'
import { GAP_WINDOWS } from '../../backend/domain/links/gaps.ts'
import { HOUR } from '../../backend/domain/units.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

/** Window of the world's gaps (methodology D4). */
const WINDOW = GAP_WINDOWS['6h'] * HOUR
/** Part of the reported gap that must be real. */
const REAL = 0.5

/**
 * Divergences that the world reports, against gaps between prices and the state behind them. One is
 * right when at least half of it is an error of a price, in the stated direction, or when the lagging
 * event follows its theme by hours and its state then moves that way by as much. Expected are the
 * planted gaps that opened within the window and are wide enough, one for each event.
 */
export function scoreDivergences(moment: SampleMoment): Score {
  const { at, worldSnapshot, truth, marketOf } = moment
  const { snapshot, world } = worldSnapshot
  const items = world.candidates.filter(({ type }) => type === 'divergence')
  const served = snapshot
    .gaps('6h')
    .filter((gap) =>
      items.some(
        ({ body }) =>
          'triggerTicker' in body &&
          body.triggerTicker === gap.trigger &&
          body.laggingTicker === gap.lagging,
      ),
    )
  /** Cents by which a market is dearer than the state behind it. */
  const errorOf = (ticker: string): number =>
    (snapshot.markets.get(ticker)?.view.mark ?? 0) - 100 * truth.chance(marketOf(ticker), at)
  /** Cents by which a market that follows its theme moves until it has caught up. */
  const followsBy = (ticker: string, leader: string): number => {
    const [market, { event }] = [marketOf(ticker), marketOf(leader)]
    const { themeDelay, template } = market.event
    if (themeDelay === null || event.template.theme !== template.theme) return 0
    return 100 * (truth.chance(market, at + themeDelay) - truth.chance(market, at))
  }
  const right = served.filter(({ trigger, lagging, gap, link }) => {
    const real = link.sign * errorOf(trigger) - errorOf(lagging)
    const found = [real, followsBy(lagging, trigger)].map((cents) => cents * Math.sign(gap))
    return found.some((cents) => cents >= REAL * DIVERGENCE_PARAMS.gap)
  })
  const planted = truth
    .gaps(at, at + 1)
    .filter(({ from }) => at - from < WINDOW)
    .map(({ twins }) =>
      twins.filter((twin) => Math.abs(truth.gapOf(twin, at)) >= DIVERGENCE_PARAMS.gap),
    )
    .filter((twins) => twins.length > 0)
  const named = new Set(served.flatMap(({ trigger, lagging }) => [trigger, lagging]))
  const recalled = planted.filter((twins) =>
    twins.some(({ a, b }) => named.has(a.id) || named.has(b.id)),
  )
  return {
    right: right.length,
    found: served.length,
    recalled: recalled.length,
    expected: planted.length,
  }
}
