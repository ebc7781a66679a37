import { gapSentence } from '../../domain/links/gap-sentence.ts'
import type {
  AnswerCounterpart,
  AnswerFacts,
  AnswerMarket,
  AnswerTension,
} from '../../domain/answers/answer-facts.ts'
import type { Ticker } from '../../domain/market.ts'
import { alignedPrice, isSuspectGap, pairGap, passesPreset } from '../../domain/pairing/pairs.ts'
import type { Millis } from '../../domain/units.ts'
import { roundTo } from '../../domain/units.ts'
import { cutText, numberText } from '../../domain/world/markdown/text.ts'
import type { ContextEngine } from '../context-engine.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'
import { contextSnapshotAsOf } from '../snapshot/historical-snapshot.ts'
import type { BoardView, MarketView } from '../board/market-board.ts'

/**
 * The snapshot that an answer uses; null without a context engine.
 * @throws NotReady for now, before the first one
 */
export const answerSnapshot = async (
  context: ContextEngine | null,
  asOf: Millis | null,
): Promise<ContextSnapshot | null> => (context === null ? null : contextSnapshotAsOf(context, asOf))

/** Volume surprise of a market (A9); null when unknown. */
export const surpriseIn = (
  snapshot: ContextSnapshot | null,
  { view }: { readonly view: MarketView },
): number | null => snapshot?.markets.get(view.facts.ticker)?.surprise.vr ?? null

/** The fields of a market for answers. */
export const answerMarketOf = (
  view: MarketView,
  snapshot: ContextSnapshot | null,
): AnswerMarket => ({
  ticker: view.facts.ticker,
  venue: view.facts.venue,
  title: view.facts.title,
  outcome: view.facts.subtitle,
  price: view.price,
  change24h: view.change24h,
  volume24hUsd: view.volume24hUsd,
  spread: view.spread,
  liquidity: view.liquidityScore,
  closeTime: view.facts.closeTime,
  updatedAt: view.updatedAt,
  vr: snapshot?.markets.get(view.facts.ticker)?.surprise.vr ?? null,
})

/**
 * The best counterpart of a market on another venue, aligned to this market's question; null without
 * one of enough confidence, or when the prices differ too much to be of one question.
 */
export function counterpartOf(
  view: MarketView,
  boardView: BoardView,
  snapshot: ContextSnapshot | null,
): AnswerCounterpart | null {
  const pair = snapshot?.pairOf.get(view.facts.ticker)
  if (pair === undefined || !passesPreset(pair, 'world')) return null
  const other = boardView.get(pair.a === view.facts.ticker ? pair.b : pair.a)
  if (other === null || isSuspectGap(pairGap(view.mark, other.mark, pair.inverted))) return null
  const price = alignedPrice(other.price, pair.inverted)
  return {
    ticker: other.facts.ticker,
    venue: other.facts.venue,
    price,
    gap: price === null || view.price === null ? null : roundTo(price - view.price, 2),
  }
}

/** Outcomes of a market's exclusive event, highest price first, unpriced ones last. */
export const outcomesOf = (view: MarketView, boardView: BoardView): MarketView[] =>
  view.facts.exclusive
    ? boardView
        .marketsOfEvent(view.facts.venue, view.facts.eventId)
        .filter(({ status }) => status === 'active')
        .sort(
          (a, b) => (b.price ?? -1) - (a.price ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1),
        )
    : []

/**
 * Outcomes of a market's exclusive event that a question asks together, highest price first. Empty
 * for one outcome, for all of them, or when one is not priced.
 */
export function combinedOutcomes(
  outcomes: readonly MarketView[],
  matchesQuestion: (view: MarketView) => boolean,
): readonly MarketView[] {
  const matchingOutcomes = outcomes.filter(matchesQuestion)
  const isPart = matchingOutcomes.length > 1 && matchingOutcomes.length < outcomes.length
  return isPart && matchingOutcomes.every(({ price }) => price !== null) ? matchingOutcomes : []
}

/** Price inconsistencies that involve these markets, most cents first. */
export function tensionsOf(
  views: readonly MarketView[],
  boardView: BoardView,
  snapshot: ContextSnapshot | null,
  max = MAX_TENSIONS,
): AnswerTension[] {
  if (snapshot === null) return []
  const tickers = new Set(views.map(({ facts }) => facts.ticker))
  const events = new Set(views.map(({ facts }) => `${facts.venue} ${facts.eventId}`))
  const titleOf = (ticker: Ticker): string =>
    cutText(boardView.get(ticker)?.facts.title ?? ticker, 50)
  const tensions: AnswerTension[] = []
  // When both markets of a pair are named, only the first reports it.
  const pairs = new Map(
    [...tickers].toReversed().flatMap((ticker) => {
      const id = snapshot.pairOf.get(ticker)?.id
      return id === undefined ? [] : [[id, ticker] as const]
    }),
  )
  for (const [id, ticker] of pairs) {
    const crossVenueEdge = snapshot.crossVenue.get(id)
    const edge = crossVenueEdge?.edge ?? null
    if (edge === null || crossVenueEdge?.isTradable !== true || edge.net <= 0) continue
    const cents = roundTo(edge.net, 2)
    const text = `“${titleOf(ticker)}”: YES on one venue and NO on the other net ${numberText(cents, 2)}¢ after fees`
    tensions.push({ kind: 'cross_venue_edge', cents, text, ticker })
  }
  for (const event of snapshot.eventEdges) {
    if (!events.has(`${event.venue} ${event.eventId}`)) continue
    for (const { kind, net } of event.baskets) {
      if (net <= 0) continue
      const side = kind === 'underround' ? 'Buying every outcome' : 'Selling every outcome'
      const text = `${side} nets ${numberText(net, 2)}¢ after fees`
      tensions.push({ kind: 'basket_edge', cents: roundTo(net, 2), text, ticker: null })
    }
    for (const { net, easier, harder } of event.ladders) {
      if (net === null || net <= 0) continue
      const text = `“${titleOf(harder)}” is priced above “${titleOf(easier)}”, ${numberText(net, 2)}¢ after fees`
      tensions.push({ kind: 'ladder_edge', cents: roundTo(net, 2), text, ticker: easier })
    }
  }
  for (const { trigger, lagging, gap, expected } of snapshot.distinctGaps('6h')) {
    if (!tickers.has(trigger) && !tickers.has(lagging)) continue
    const moves = gapSentence({ laggingMove: expected - gap, gap })
    const text = `“${titleOf(lagging)}” ${moves} (after “${titleOf(trigger)}”, 6h)`
    tensions.push({ kind: 'divergence', cents: Math.abs(gap), text, ticker: lagging })
  }
  return tensions.sort((a, b) => b.cents - a.cents).slice(0, max)
}
const MAX_TENSIONS = 5

/**
 * The facts on the markets that match a question, best first; without a snapshot, from prices
 * only.
 * @param matchesQuestion whether a market asks the question, to combine outcomes
 * @returns null for no market
 */
export function answerFactsOf(
  views: readonly MarketView[],
  boardView: BoardView,
  snapshot: ContextSnapshot | null,
  at: Millis,
  matchesQuestion: (view: MarketView) => boolean = () => false,
): AnswerFacts | null {
  const [headline] = views
  if (headline === undefined) return null
  const outcomes = outcomesOf(headline, boardView)
  const answerMarkets = (listedViews: readonly MarketView[]) =>
    listedViews.map((view) => answerMarketOf(view, snapshot))
  return {
    at,
    headline: answerMarketOf(headline, snapshot),
    markets: answerMarkets(views),
    counterpart: counterpartOf(headline, boardView, snapshot),
    outcomes: answerMarkets(outcomes),
    combined: answerMarkets(combinedOutcomes(outcomes, matchesQuestion)),
    eventTitle: headline.facts.eventTitle,
    tensions: tensionsOf(views, boardView, snapshot),
  }
}
