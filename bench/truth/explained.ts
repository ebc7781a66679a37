import { createExplanations } from '../../backend/features/world/explain.service.ts'
import { selectSalient } from '../../backend/domain/world/salient/selection.ts'
import { DAY } from '../../backend/domain/units.ts'
import type { HypothesisKind } from '../../backend/domain/world/explain/explain-facts.ts'
import { NotReady } from '../../backend/lib/errors.ts'
import { dislocationsWithin } from '../../backend/simulator/catalogue/dislocation.ts'
import type { SimMarket } from '../../backend/simulator/catalogue/market.ts'
import type { ScoredCandidate } from '../../backend/domain/world/salient/salient.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

/** Length of the list that the world serves at most. */
const LONGEST = 30
/** News that is large enough to be seen in prices, in standard deviations of a day. */
const LOUD = 0.5

/** Causes that really are behind what a market did in the last day, of those the data hold. */
function causesOf(market: SimMarket, { at, truth }: SampleMoment): Set<HypothesisKind> {
  const causes = new Set<HypothesisKind>()
  const { event, endAt } = market
  const { theme } = event.template
  if (endAt - at < DAY) causes.add('catalyst')
  const news = truth.catalysts(at - DAY, at).filter((one) => one.theme === theme)
  if (news.some(({ size }) => Math.abs(size) >= LOUD)) causes.add('contagion')
  if (event.twinned && dislocationsWithin(event.sharedKey, at - DAY, at).length > 0)
    causes.add('cross_venue_lead')
  return causes
}

/** The markets that an item is about. */
const subjectsOf = ({ legs }: ScoredCandidate): readonly string[] =>
  legs.map(({ ticker }) => ticker)

/**
 * Items of the world of which a cause is in the data: how many name one of their true causes. Precision
 * is the share of items with an explanation whose explanations hold a true cause.
 */
export async function scoreExplained(moment: SampleMoment): Promise<Score> {
  const { bucket, board, history, marketOf } = moment
  const urls = { baseUrl: '', dataUrl: '', appUrl: '', wsUrl: '' }
  const explanations = createExplanations({
    board,
    history,
    urls,
    context: { world: () => Promise.reject(new NotReady('only one world is scored')) },
  })
  const items = selectSalient(bucket.world.candidates, LONGEST).map(({ candidate }) => candidate)
  const scored = await Promise.all(
    items.map(async (item) => {
      const causes = new Set(
        subjectsOf(item).flatMap((ticker) => [...causesOf(marketOf(ticker), moment)]),
      )
      const { explain } = await explanations.explain([bucket], item.id)
      const named = explain.hypotheses.map(({ kind }) => kind)
      return { causes, named, isRight: named.some((kind) => causes.has(kind)) }
    }),
  )
  const caused = scored.filter(({ causes }) => causes.size > 0)
  const explained = scored.filter(({ named }) => named.length > 0)
  return {
    right: explained.filter(({ isRight }) => isRight).length,
    found: explained.length,
    recalled: caused.filter(({ isRight }) => isRight).length,
    expected: caused.length,
  }
}
