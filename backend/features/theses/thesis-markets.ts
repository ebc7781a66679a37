import type { BoardView, MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { executableEdge } from '../../domain/edges/thesis-edge.ts'
import { generalTerms } from '../../domain/fees.ts'
import {
  addsNumber,
  asksMore,
  asksOtherRank,
  countsInWords,
  withExplicitNegation,
  hasOtherDeadline,
  oppositeOf,
  wordingsOf,
} from '../../domain/theses/condition-match.ts'
import { statedPolarity } from '../../domain/theses/polarity.ts'
import { marketReading, type MarketReading } from '../../domain/finder/reading.ts'
import type { BoundPart, ThesisEdgeSeed } from '../../domain/theses/formation.ts'
import type { StrategyQuote } from '../../domain/theses/closed-loop.ts'
import type { ThesisStrategy } from '../../domain/theses/holdings.ts'
import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import type { MarketFacts, Side } from '../../domain/market.ts'
import { roundTo, type Cents, type Millis } from '../../domain/units.ts'
import type { Instant } from '../../http/request/as-of.ts'

const MAX_MARKETS = 12

export type ThesisBoard = Pick<MarketBoard, 'at' | 'live' | 'market' | 'markets' | 'book' | 'ready'>

/**
 * The open markets that are relevant for a condition, best first: those that ask it, or its
 * opposite, with the same deadline. A market that asks it as it is replaces those that add a number
 * to it.
 */
export function boundPart(markets: Pick<BoardView, 'find' | 'asOf'>, label: string): BoundPart {
  const opposite = oppositeOf(label)
  const hits = [
    ...wordingsOf(label).flatMap((wording) => hitsOf(markets, wording, 1)),
    ...(opposite === null ? [] : hitsOf(markets, opposite, -1)),
  ]
  const best = new Map<string, Hit>()
  for (const candidateHit of hits) {
    const { ticker, title } = candidateHit.view.facts
    if (hasOtherDeadline(label, candidateHit.reading)) continue
    if (asksOtherRank(label, title)) continue
    if (asksMore(label, { title, match: candidateHit.match, asOf: markets.asOf })) continue
    if ((best.get(ticker)?.match ?? 0) < candidateHit.match) best.set(ticker, candidateHit)
  }
  const rankedHits = [...best.values()].map((candidateHit) => ({
    hit: candidateHit,
    adds: addsNumber(label, candidateHit.reading),
  }))
  const exact = rankedHits.filter(({ adds }) => !adds)
  return {
    label,
    markets: (exact.length > 0 || countsInWords(label) ? exact : rankedHits)
      .map(({ hit: { view, match, orientation } }) => ({
        ticker: view.facts.ticker,
        title: view.facts.title,
        match: roundTo(match, 4),
        orientation,
        price: view.price,
      }))
      .toSorted((left, right) => right.match - left.match),
  }
}

/** The question of a market with its outcome. */
export const questionOf = ({ title, subtitle }: Pick<MarketFacts, 'title' | 'subtitle'>): string =>
  subtitle === null || title.includes(subtitle) ? title : `${title} - ${subtitle}`

interface Hit {
  readonly view: MarketView
  readonly reading: MarketReading
  readonly match: number
  readonly orientation: 1 | -1
}

/** @param side 1 for a wording of the condition, -1 for its opposite */
const hitsOf = (markets: Pick<BoardView, 'find'>, wording: string, side: 1 | -1): readonly Hit[] =>
  markets.find(wording, null, MAX_MARKETS).hits.flatMap(({ view, match }): Hit[] => {
    const polarity = statedPolarity(withExplicitNegation(wording), questionOf(view.facts)) ?? 1
    if (polarity === 0) return []
    const orientation = polarity === side ? 1 : -1
    return [{ view, reading: marketReading(view.facts), match, orientation }]
  })

/** Payout of YES in a settled market, cents; null before, and for a void one. */
export const settlementOf = ({ status, facts }: MarketView): number | null =>
  status === 'settled' && facts.settlementPrice !== null ? facts.settlementPrice / 100 : null

/** Price of a side now, cents; null without a quote. */
export const costOf = (view: MarketView, side: 'yes' | 'no'): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : roundTo(100 - view.bestBid, 4)
}

/** An edge that was just found. */
export function edgeFromMatch(
  seed: ThesisEdgeSeed,
  label: string,
  view: MarketView,
  now: Millis,
): BoundEdge {
  const price = view.price ?? seed.thesisPrice
  const relationText = seed.orientation === 1 ? 'asks' : 'asks the opposite of'
  return {
    ...seed,
    title: view.facts.title,
    rationale: `It ${relationText} “${label}” (match ${roundTo(seed.match, 2)}).`,
    inherited: false,
    firstDetectedAt: now,
    firstThesisPrice: seed.thesisPrice,
    firstMarketPrice: price,
    entryPrice: costOf(view, seed.thesisPrice >= price ? 'yes' : 'no'),
    evaluatedPrice: price,
    settlement: null,
  }
}

/** Cents a contract that remain after crossing the book and paying the fee (methodology E2). */
export async function executableAt(
  board: ThesisBoard,
  view: MarketView,
  thesisPrice: number,
  { asOf, at }: Instant,
): Promise<number | null> {
  const { price } = view
  if (price === null) return null
  const edgeOf = await sideEdges(board, view, { thesisPrice, price }, { asOf, at })
  return edgeOf(thesisPrice >= price ? 'yes' : 'no')
}

/** The same for a purchase of each side. */
export async function executableSides(
  board: ThesisBoard,
  view: MarketView,
  thesisPrice: number,
  { asOf, at }: Instant,
): Promise<Record<Side, number | null>> {
  const { price } = view
  if (price === null) return { yes: null, no: null }
  const edgeOf = await sideEdges(board, view, { thesisPrice, price }, { asOf, at })
  return { yes: edgeOf('yes'), no: edgeOf('no') }
}

/** Remaining edge of a purchase of a side at the book of an instant. */
async function sideEdges(
  board: ThesisBoard,
  view: MarketView,
  { thesisPrice, price }: { readonly thesisPrice: number; readonly price: Cents },
  { asOf, at }: Instant,
): Promise<(side: Side) => number | null> {
  const { spread, facts } = view
  const book = view.hasOrderbook ? ((await board.book(view, asOf))?.book ?? null) : null
  const market = { book, price, spread, fees: generalTerms(facts.venue) }
  return (side) => executableEdge(thesisPrice as Cents, side, market, at).edge
}

/** Quote of a strategy's market at an instant. */
export async function strategyQuote(
  board: ThesisBoard,
  { edges, tree }: Pick<Thesis, 'edges' | 'tree'>,
  { ticker, direction }: Pick<ThesisStrategy, 'ticker' | 'direction'>,
  view: MarketView,
  instant: Instant,
): Promise<StrategyQuote> {
  const edge = edges.find((candidate) => candidate.ticker === ticker)
  const node = tree?.nodes.find(({ id }) => id === edge?.relatedNodeId)
  const edgeValues =
    edge === undefined ? null : await executableSides(board, view, edge.thesisPrice, instant)
  return {
    isOpen: view.status === 'active' && settlementOf(view) === null,
    cost: costOf(view, direction),
    proceeds:
      direction === 'yes'
        ? view.bestBid
        : view.bestAsk === null
          ? null
          : roundTo(100 - view.bestAsk, 4),
    edge: edgeValues?.[direction] ?? null,
    isDecided: node !== undefined && node.outcome !== null,
  }
}
