import { EDGE_PARAMS } from '../../domain/edges/edge-params.ts'
import {
  annualisedYield,
  basketEdges,
  crossVenueEdge,
  executablePairGap,
  invertedBook,
  isTradablePair,
  type EdgeLeg,
} from '../../domain/edges/implied-edges.ts'
import { ladderEdges, type LadderEdge } from '../../domain/edges/ladder-edges.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { OrderBook, Ticker } from '../../domain/market.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import type { MarketView } from '../board/market-board.ts'
import type { CrossVenueEdge, EventEdges, MarketQuantities } from './context-snapshot.ts'
import type { Ladder } from './structure/structure.ts'

/** Newest books at the snapshot instant; a market without one is left out. */
export type Books = ReadonlyMap<Ticker, OrderBook>

/** Reads the newest books of markets at the snapshot instant. */
export type BooksReader = (views: readonly MarketView[]) => Promise<Books>

/** Edges of pairs from their books (E3). */
export async function crossVenueEdges(
  pairs: readonly MarketPair[],
  markets: ReadonlyMap<Ticker, MarketQuantities>,
  booksOf: BooksReader,
): Promise<Map<string, CrossVenueEdge>> {
  const sides = pairs.flatMap((pair) => {
    const [a, b] = [markets.get(pair.a)?.view, markets.get(pair.b)?.view]
    return a === undefined || b === undefined ? [] : [{ pair, a, b }]
  })
  const books = await booksOf(marketsWithBook(sides.flatMap(({ a, b }) => [a, b])))
  const edges = new Map<string, CrossVenueEdge>()
  for (const { pair, a, b } of sides) {
    const [legOfA, legOfB] = [legOf(a, books), legOf(b, books)]
    const alignedOutcome = {
      ...legOfB,
      book: legOfB.book !== null && pair.inverted ? invertedBook(legOfB.book) : legOfB.book,
    }
    const edge = crossVenueEdge(legOfA, alignedOutcome)
    const tau = longerOf(a.tau, b.tau)
    edges.set(pair.id, {
      pair,
      edge,
      executableGap: executablePairGap(legOfA, alignedOutcome),
      yieldPct: edge === null ? null : annualisedYield(edge, tau),
      isTradable: isTradablePair(pair, pair.qualifiers.length > 0, edge?.net ?? null),
    })
  }
  return edges
}

/** Capital is bound until the later close; unknown when one is unknown. */
const longerOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b)

/** Distinct markets with a book. */
const marketsWithBook = (views: readonly MarketView[]): MarketView[] => [
  ...new Set(views.filter(({ hasOrderbook }) => hasOrderbook)),
]

function legOf({ hasOrderbook, facts }: MarketView, books: Books): EdgeLeg {
  const book = hasOrderbook ? (books.get(facts.ticker) ?? null) : null
  return { book, fees: generalTerms(facts.venue) }
}

/**
 * Inconsistencies inside events: baskets of exclusive outcomes (E4) and ladders (E5). Books are
 * read only when the best prices are already inconsistent.
 * @returns with the best net first, soft ones last
 */
export async function eventEdgesOf(
  markets: ReadonlyMap<Ticker, MarketQuantities>,
  ladders: readonly Ladder[],
  booksOf: BooksReader,
): Promise<EventEdges[]> {
  const events = new Map<
    string,
    EventEdges & { baskets: EventEdges['baskets']; ladders: LadderEdge[] }
  >()
  const eventOf = ({ facts }: MarketView) => {
    const key = `${facts.venue}|${facts.eventId}`
    let event = events.get(key)
    if (event === undefined) {
      const { venue, eventId, eventTitle } = facts
      event = { venue, eventId, eventTitle, baskets: [], ladders: [] }
      events.set(key, event)
    }
    return event
  }
  const overbidEvents = [...exclusiveEvents(markets).values()].filter((outcomes) => {
    const bids = sumOf(outcomes.map(({ bestBid }) => bestBid))
    return bids !== null && bids > 100
  })
  const suspectLadders = ladders
    .map(({ kind, rungs }) => ({ kind, rungs: activeRungs(rungs, markets) }))
    .filter(({ kind, rungs }) => mayContradict(rungs, kind))
  const books = await booksOf(
    marketsWithBook([
      ...overbidEvents.flat(),
      ...suspectLadders.flatMap(({ rungs }) => rungs.map(({ view }) => view)),
    ]),
  )
  for (const outcomes of overbidEvents) {
    const [first] = outcomes
    if (first === undefined) continue
    const legs = outcomes.map((view) => legOf(view, books))
    const baskets = basketEdges(legs, { exclusive: true, exhaustive: false })
    const paying = baskets.filter(({ net }) => net > 0)
    if (paying.length > 0) eventOf(first).baskets = paying
  }
  for (const { kind, rungs } of suspectLadders) {
    const [first] = rungs
    if (first === undefined) continue
    const legs = rungs.map(({ view, at }) => ({
      ...legOf(view, books),
      ticker: view.facts.ticker,
      rung: at,
      mark: view.mark,
      source: null,
    }))
    eventOf(first.view).ladders.push(...ladderEdges(legs, kind))
  }
  const bestOf = ({ baskets, ladders: rungs }: EventEdges): number =>
    Math.max(
      ...baskets.map(({ net }) => net),
      ...rungs.map(({ net }) => net ?? -Infinity),
      -Infinity,
    )
  return [...events.values()]
    .filter(({ baskets, ladders: rungs }) => baskets.length + rungs.length > 0)
    .sort((x, y) => compare(bestOf(y), bestOf(x)) || (x.eventId < y.eventId ? -1 : 1))
}

/** A comparator that also handles two values of minus infinity. */
const compare = (x: number, y: number): number => (x === y ? 0 : x < y ? -1 : 1)

/** Live outcomes of exclusive events with two or more of them. */
function exclusiveEvents(
  markets: ReadonlyMap<Ticker, MarketQuantities>,
): Map<string, MarketView[]> {
  const activeMarkets = [...markets.values()]
    .map(({ view }) => view)
    .filter(({ facts, status }) => facts.exclusive && status === 'active')
  const events = Map.groupBy(activeMarkets, ({ facts }) => `${facts.venue}|${facts.eventId}`)
  return new Map([...events].filter(([, outcomes]) => outcomes.length > 1))
}

function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

interface ActiveRung {
  readonly view: MarketView
  readonly at: number
}

const activeRungs = (
  rungs: Ladder['rungs'],
  markets: ReadonlyMap<Ticker, MarketQuantities>,
): ActiveRung[] =>
  rungs.flatMap(({ ticker, at }) => {
    const view = markets.get(ticker)?.view
    return view === undefined || view.status !== 'active' ? [] : [{ view, at }]
  })

/** Whether any harder rung is bid, or marked, above an easier one; books are needed to decide. */
function mayContradict(rungs: readonly ActiveRung[], kind: Ladder['kind']): boolean {
  const easierFirst = kind === 'above' ? rungs : [...rungs].reverse()
  let [minAsk, minMark] = [Infinity, Infinity]
  for (const { view } of easierFirst) {
    if ((view.bestBid ?? -Infinity) > minAsk) return true
    if ((view.mark ?? -Infinity) > minMark + EDGE_PARAMS.softViolation) return true
    minAsk = Math.min(minAsk, view.bestAsk ?? Infinity)
    minMark = Math.min(minMark, view.mark ?? Infinity)
  }
  return false
}
