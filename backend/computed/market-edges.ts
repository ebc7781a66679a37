import type { LegsKind, SuggestionEdge } from '../domain/edges/suggestion.ts'
import { LIQUIDITY_WEIGHTS } from '../domain/liquidity/liquidity.ts'
import { LINK_PARAMS } from '../domain/links/link-params.ts'
import type { Side, Ticker } from '../domain/market.ts'
import { alignedPrice } from '../domain/pairing/pairs.ts'
import { sumOf } from '../domain/statistics/statistics.ts'
import { roundTo } from '../domain/units.ts'
import { memoizeByKey } from './memoized-by-key.ts'
import type {
  CrossVenueEdge,
  EventEdges,
  ContextSnapshot,
  MarketQuantities,
} from './snapshot/context-snapshot.ts'

/** An edge of one market that prices alone imply (methodology E3 to E5). */
export interface MarketEdge extends SuggestionEdge {
  readonly kind: LegsKind
}

const opposite = (side: Side): Side => (side === 'yes' ? 'no' : 'yes')

/** All-in price of buying a side at its best level, cents; null without one. */
const priceOfSide = ({ view }: MarketQuantities, side: Side): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : 100 - view.bestBid
}

/**
 * The edge of one leg: its own part of the inconsistency, the other legs have the rest. Null when no
 * price would make the legs consistent.
 */
function edgeOf(
  market: MarketQuantities,
  direction: Side,
  edgeParts: Pick<MarketEdge, 'kind' | 'confidence'> & {
    /** Net of trading all legs, cents. */
    readonly net: number | null
    /** Price of YES that is consistent with the other legs, cents. */
    readonly fair: number | null
  },
): MarketEdge | null {
  const { kind, confidence, net } = edgeParts
  const { mark } = market.view
  if (edgeParts.fair === null || mark === null) return null
  const cost = net === null ? null : priceOfSide(market, direction)
  const isYes = direction === 'yes'
  const gain = Math.max(0, isYes ? edgeParts.fair - mark : mark - edgeParts.fair)
  const edge = gain === 0 ? 0 : roundTo(isYes ? gain : 0 - gain, 4)
  const fair = roundTo(isYes ? edgeParts.fair : 100 - edgeParts.fair, 4)
  return { kind, edge, direction, executable: net, fair, cost, confidence }
}

/**
 * How far a market's mark is trusted (the liquidity of F2): a gap between two prices is split by
 * it, because it is unknown which of them is wrong.
 */
const trustIn = ({ view: { volume24hUsd, liquidityScore } }: MarketQuantities): number =>
  Math.sqrt(1 + (volume24hUsd ?? 0)) * LIQUIDITY_WEIGHTS[liquidityScore]

/** The price of one question from the marks of two markets, cents. */
function pooledPrice(
  market: MarketQuantities,
  mark: number,
  other: MarketQuantities,
  otherMark: number,
): number {
  const [weight, otherWeight] = [trustIn(market), trustIn(other)]
  return (weight * mark + otherWeight * otherMark) / (weight + otherWeight)
}

/** Legs of a pair that is tradable as one question, each with its side. */
function edgesOfPair(
  { pair, edge, isTradable }: CrossVenueEdge,
  snapshot: ContextSnapshot,
): [Ticker, MarketEdge][] {
  const [a, b] = [snapshot.markets.get(pair.a), snapshot.markets.get(pair.b)]
  if (!isTradable || edge === null || a === undefined || b === undefined) return []
  const alignedMark = alignedPrice(b.view.mark, pair.inverted)
  if (a.view.mark === null || alignedMark === null) return []
  const sideOfA: Side = edge.buyYes === 'a' ? 'yes' : 'no'
  // NO of the opposite question is YES of this one.
  const sideOfB = pair.inverted ? sideOfA : opposite(sideOfA)
  const crossVenueEdge = {
    kind: 'cross_venue' as const,
    confidence: pair.confidence,
    net: edge.net,
  }
  const fair = pooledPrice(a, a.view.mark, b, alignedMark)
  return legs([
    [pair.a, edgeOf(a, sideOfA, { ...crossVenueEdge, fair })],
    [pair.b, edgeOf(b, sideOfB, { ...crossVenueEdge, fair: pair.inverted ? 100 - fair : fair })],
  ])
}

const legs = (
  legEdges: readonly (readonly [Ticker, MarketEdge | null])[],
): [Ticker, MarketEdge][] =>
  legEdges.flatMap(([ticker, edge]) => (edge === null ? [] : [[ticker, edge]]))

/**
 * Edges of an event's outcomes: each leg of a basket, the easier and the harder rung of a ladder.
 */
function edgesOfEvent(
  { baskets, ladders }: EventEdges,
  outcomes: readonly MarketQuantities[],
  snapshot: ContextSnapshot,
): [Ticker, MarketEdge][] {
  const { confidence } = LINK_PARAMS
  const marks = outcomes.map(({ view }) => view.mark)
  const sum = marks.some((mark) => mark === null) ? null : sumOf(marks.map((mark) => mark ?? 0))
  const edgesOfBaskets = baskets.flatMap(({ kind, net }) =>
    outcomes.map((outcome) => {
      const side: Side = kind === 'underround' ? 'yes' : 'no'
      const basket = { kind: 'basket' as const, confidence: confidence.same_event_exclusive }
      return [
        outcome.view.facts.ticker,
        edgeOf(outcome, side, {
          ...basket,
          net,
          fair: sum === null || sum === 0 ? null : (100 * (outcome.view.mark ?? 0)) / sum,
        }),
      ] as const
    }),
  )
  const edgesOfLadders = ladders.flatMap(({ easier, harder, net }) => {
    const rung = { kind: 'ladder' as const, confidence: confidence.ladder, net }
    const [easy, hard] = [snapshot.markets.get(easier), snapshot.markets.get(harder)]
    const [easyMark, hardMark] = [easy?.view.mark ?? null, hard?.view.mark ?? null]
    if (easy === undefined || hard === undefined || easyMark === null || hardMark === null)
      return []
    // Rungs in the wrong order are pooled, as in a ladder's distribution (methodology M).
    const isWrong = hardMark > easyMark
    const poolPrice = pooledPrice(easy, easyMark, hard, hardMark)
    return [
      [easier, edgeOf(easy, 'yes', { ...rung, fair: isWrong ? poolPrice : easyMark })],
      [harder, edgeOf(hard, 'no', { ...rung, fair: isWrong ? poolPrice : hardMark })],
    ] as const
  })
  return legs([...edgesOfBaskets, ...edgesOfLadders])
}

const byWorth = (x: MarketEdge, y: MarketEdge): number =>
  (y.executable ?? -Infinity) - (x.executable ?? -Infinity) ||
  Math.abs(y.edge) - Math.abs(x.edge) ||
  (x.kind < y.kind ? -1 : 1)

function collectEdges(snapshot: ContextSnapshot): Map<Ticker, MarketEdge[]> {
  const markets = snapshot.eventEdges.length === 0 ? [] : [...snapshot.markets.values()]
  const outcomes = Map.groupBy(
    markets.filter(({ view }) => view.status === 'active'),
    ({ view: { facts } }) => `${facts.venue} ${facts.eventId}`,
  )
  const all = [
    ...[...snapshot.crossVenue.values()].flatMap((pair) => edgesOfPair(pair, snapshot)),
    ...snapshot.eventEdges.flatMap((event) =>
      edgesOfEvent(event, outcomes.get(`${event.venue} ${event.eventId}`) ?? [], snapshot),
    ),
  ]
  const edges = Map.groupBy(all, ([ticker]) => ticker)
  return new Map(
    [...edges].map(([ticker, edgesOfMarket]) => [
      ticker,
      edgesOfMarket.map(([, edge]) => edge).sort(byWorth),
    ]),
  )
}

/**
 * Edges of every market of a snapshot by their net after costs, descending; computed once per
 * snapshot.
 */
export const marketEdges: (
  snapshot: ContextSnapshot,
) => ReadonlyMap<Ticker, readonly MarketEdge[]> = memoizeByKey(collectEdges)
