import { createExplanations } from '../../backend/features/world/explain.service.ts'
import { selectSalient } from '../../backend/domain/world/salient/selection.ts'
import { DAY, MINUTE } from '../../backend/domain/units.ts'
import type { HypothesisKind } from '../../backend/domain/world/explain/explain-facts.ts'
import { NotReady } from '../../backend/lib/errors.ts'
import { dislocationsBetween } from '../../backend/simulator/catalogue/dislocation.ts'
import type { SimMarket } from '../../backend/simulator/catalogue/market.ts'
import type { Catalyst } from '../../backend/testing/sample-truth.ts'
import type { ScoredCandidate } from '../../backend/domain/world/salient/salient.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

/** Length of the list that the world serves at most. */
const MAX_LENGTH = 30
/** Cents by which news or a gap moves a price at least, to be seen in it. */
const SEEN = 2
/** Time from news until a price contains it. */
const SPREAD = 10 * MINUTE
/** Cents of an item that are about the difference of two prices. */
const COMPARED: ReadonlySet<ScoredCandidate['type']> = new Set(['divergence', 'consensus_break'])

/** Cents by which the state of a market moved when news reached it. */
function moveAt(market: SimMarket, newsAt: number, { at, truth }: SampleMoment): number {
  const receivedAt = newsAt + (market.event.themeDelay ?? 0)
  if (market.event.themeDelay === null || receivedAt + SPREAD > at) return 0
  return 100 * (truth.chance(market, receivedAt + SPREAD) - truth.chance(market, receivedAt))
}

/**
 * Causes that really are behind what a market did in the last day, of those whose evidence the venues
 * publish: an announced end, news that another event of the theme shows in its price by then, and for
 * the difference of two prices a venue that left the other's.
 */
function causesOf(
  market: SimMarket,
  item: ScoredCandidate,
  moment: SampleMoment,
): Set<HypothesisKind> {
  const { at, truth, worldSnapshot, marketOf } = moment
  const causes = new Set<HypothesisKind>()
  const { event, endAt } = market
  if (endAt - at < DAY) causes.add('catalyst')
  const others = [...worldSnapshot.snapshot.markets.keys()]
    .map(marketOf)
    .filter((other) => other.event !== event && other.event.template.theme === event.template.theme)
  const isShown = ({ at: newsAt }: Catalyst): boolean =>
    Math.abs(moveAt(market, newsAt, moment)) >= SEEN &&
    others.some((other) => Math.abs(moveAt(other, newsAt, moment)) >= SEEN)
  const news = truth.catalysts(at - DAY, at)
  if (news.some((catalyst) => catalyst.theme === event.template.theme && isShown(catalyst)))
    causes.add('contagion')
  if (!event.twinned || !COMPARED.has(item.type)) return causes
  const left = dislocationsBetween(event.sharedKey, at - DAY, at).filter(({ from, to }) => {
    return from >= at - DAY && to > at
  })
  // What made a venue leave the other is not published; that it did explains the other's side.
  const isOther = item.type === 'divergence' || left.some(({ venue }) => venue !== market.venue)
  const twin = truth.twins(at).find(({ a, b }) => a === market || b === market)
  if (left.length > 0 && isOther && twin !== undefined) {
    if (Math.abs(truth.gapOf(twin, at)) >= SEEN) causes.add('cross_venue_lead')
  }
  return causes
}

/** The market that an item is about: the one that lags, or its only one. */
const subjectOf = ({ legs }: ScoredCandidate): readonly string[] =>
  legs.slice(0, 1).map(({ ticker }) => ticker)

/**
 * Items of the world of which a cause is in the data: how many name one of their true causes. Precision
 * is the share of items with an explanation whose explanations hold a true cause.
 */
export async function scoreExplained(moment: SampleMoment): Promise<Score> {
  const { worldSnapshot, board, history, marketOf } = moment
  const urls = { baseUrl: '', dataUrl: '', appUrl: '', wsUrl: '' }
  const explanations = createExplanations({
    board,
    history,
    urls,
    context: { world: () => Promise.reject(new NotReady('only one world is scored')) },
  })
  const items = selectSalient(worldSnapshot.world.candidates, MAX_LENGTH).map(
    ({ candidate }) => candidate,
  )
  const scored = await Promise.all(
    items.map(async (item) => {
      const causes = new Set(
        subjectOf(item).flatMap((ticker) => [...causesOf(marketOf(ticker), item, moment)]),
      )
      const { explain } = await explanations.explain([worldSnapshot], item.id)
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
