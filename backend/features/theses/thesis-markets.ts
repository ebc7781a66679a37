import type { BoardView, MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { executableEdge } from '../../domain/edges/thesis-edge.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { BoundMarket, BoundPart, ThesisEdgeSeed } from '../../domain/theses/formation.ts'
import type { BoundEdge } from '../../domain/theses/thesis.ts'
import type { Side } from '../../domain/market.ts'
import { roundTo, type Cents, type Millis } from '../../domain/units.ts'
import type { Instant } from '../../http/request/as-of.ts'

const MAX_MARKETS = 12

export type ThesisBoard = Pick<MarketBoard, 'at' | 'live' | 'market' | 'markets' | 'book' | 'ready'>

/** The open markets that a condition bears on, best first. */
export function boundPart(markets: Pick<BoardView, 'find'>, label: string): BoundPart {
  const { hits, nearest } = markets.find(label, null, MAX_MARKETS)
  const bound = (view: MarketView, score: number, orientation: 1 | -1): BoundMarket => ({
    ticker: view.facts.ticker,
    title: view.facts.title,
    match: roundTo(score, 4),
    orientation,
    price: view.price,
  })
  const opposite = nearest.filter(({ differences }) =>
    differences.every(({ kind }) => kind === 'negation'),
  )
  return {
    label,
    markets: [
      ...hits.map(({ view, score }) => bound(view, score, 1)),
      ...opposite.map(({ view, score }) => bound(view, score, -1)),
    ].toSorted((one, other) => other.match - one.match),
  }
}

/** What YES paid in a settled market, cents; null before, and for a void one. */
export const settlementOf = ({ status, facts }: MarketView): number | null =>
  status === 'settled' && facts.settlementPrice !== null ? facts.settlementPrice / 100 : null

/** What a side costs now, cents; null without a quote. */
export const costOf = (view: MarketView, side: 'yes' | 'no'): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : roundTo(100 - view.bestBid, 4)
}

/** An edge that was just found. */
export function foundEdge(
  seed: ThesisEdgeSeed,
  label: string,
  view: MarketView,
  now: Millis,
): BoundEdge {
  const price = view.price ?? seed.thesisPrice
  const asks = seed.orientation === 1 ? 'asks' : 'asks the opposite of'
  return {
    ...seed,
    title: view.facts.title,
    rationale: `It ${asks} “${label}” (match ${roundTo(seed.match, 2)}).`,
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
  const edges = await executableSides(board, view, thesisPrice, { asOf, at })
  return thesisPrice >= price ? edges.yes : edges.no
}

/** The same for a purchase of each side. */
export async function executableSides(
  board: ThesisBoard,
  view: MarketView,
  thesisPrice: number,
  { asOf, at }: Instant,
): Promise<Record<Side, number | null>> {
  const { price, spread, facts } = view
  if (price === null) return { yes: null, no: null }
  const book = view.hasOrderbook ? ((await board.book(view, asOf))?.book ?? null) : null
  const market = { book, price, spread, fees: generalTerms(facts.venue) }
  const edgeOf = (side: Side) => executableEdge(thesisPrice as Cents, side, market, at).edge
  return { yes: edgeOf('yes'), no: edgeOf('no') }
}
