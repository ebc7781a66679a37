import type { SuggestionEdge } from '../domain/edges/suggestion.ts'
import { LINK_PARAMS } from '../domain/links/link-params.ts'
import type { Side, Ticker } from '../domain/market.ts'
import { alignedPrice } from '../domain/pairing/pairs.ts'
import { roundTo } from '../domain/units.ts'
import type {
  CrossVenueEdge,
  EventEdges,
  ContextSnapshot,
  MarketQuantities,
} from './snapshot/context-snapshot.ts'

/** An edge of one market that prices alone imply (methodology E3 to E5). */
export interface MarketEdge extends SuggestionEdge {
  readonly kind: 'cross_venue' | 'basket' | 'ladder'
}

const opposite = (side: Side): Side => (side === 'yes' ? 'no' : 'yes')

/** All-in price of buying a side at its best level, cents; null without one. */
const priceOfSide = ({ view }: MarketQuantities, side: Side): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : 100 - view.bestBid
}

/** An edge whose legs together leave `net`: the fair price is this leg's cost plus that gain. */
function edgeOf(
  market: MarketQuantities,
  direction: Side,
  found: Pick<MarketEdge, 'kind' | 'confidence'> & {
    /** Cents by which prices are inconsistent, before costs; only its absolute value counts. */
    readonly size: number
    readonly net: number | null
  },
): MarketEdge | null {
  const { kind, confidence, net } = found
  const { price } = market.view
  const cost = net === null ? null : priceOfSide(market, direction)
  const size = Math.abs(found.size)
  const held = price === null ? null : direction === 'yes' ? price : 100 - price
  const fair = cost === null || net === null ? (held === null ? null : held + size) : cost + net
  if (fair === null) return null
  const edge = roundTo(direction === 'yes' ? size : -size, 4)
  return { kind, edge, direction, executable: net, fair, cost, confidence }
}

/** Legs of a pair that is tradable as one question, each with its side. */
function ofPair(
  { pair, edge, isTradable }: CrossVenueEdge,
  snapshot: ContextSnapshot,
): [Ticker, MarketEdge][] {
  const [a, b] = [snapshot.markets.get(pair.a), snapshot.markets.get(pair.b)]
  if (!isTradable || edge === null || a === undefined || b === undefined) return []
  const other = alignedPrice(b.view.mark, pair.inverted)
  if (a.view.mark === null || other === null) return []
  const sideOfA: Side = edge.buyYes === 'a' ? 'yes' : 'no'
  // NO of the opposite question is YES of this one.
  const sideOfB = pair.inverted ? sideOfA : opposite(sideOfA)
  const found = {
    kind: 'cross_venue' as const,
    confidence: pair.confidence,
    size: a.view.mark - other,
    net: edge.net,
  }
  return legs([
    [pair.a, edgeOf(a, sideOfA, found)],
    [pair.b, edgeOf(b, sideOfB, found)],
  ])
}

const legs = (found: readonly (readonly [Ticker, MarketEdge | null])[]): [Ticker, MarketEdge][] =>
  found.flatMap(([ticker, edge]) => (edge === null ? [] : [[ticker, edge]]))

/**
 * Edges of an event's outcomes: each leg of a basket, the easier and the harder rung of a ladder.
 */
function ofEvent(
  { baskets, ladders }: EventEdges,
  outcomes: readonly MarketQuantities[],
  snapshot: ContextSnapshot,
): [Ticker, MarketEdge][] {
  const { confidence } = LINK_PARAMS
  const ofBaskets = baskets.flatMap(({ kind, net }) =>
    outcomes.map((outcome) => {
      const side: Side = kind === 'underround' ? 'yes' : 'no'
      const basket = { kind: 'basket' as const, confidence: confidence.same_event_exclusive }
      return [
        outcome.view.facts.ticker,
        edgeOf(outcome, side, { ...basket, size: net, net }),
      ] as const
    }),
  )
  const ofLadders = ladders.flatMap(({ easier, harder, net, markViolation }) => {
    const rung = { kind: 'ladder' as const, confidence: confidence.ladder, net }
    const size = Math.max(markViolation ?? 0, net ?? 0)
    return ([[easier, 'yes'] as const, [harder, 'no'] as const] as const).map(([ticker, side]) => {
      const market = snapshot.markets.get(ticker)
      return [
        ticker,
        market === undefined ? null : edgeOf(market, side, { ...rung, size }),
      ] as const
    })
  })
  return legs([...ofBaskets, ...ofLadders])
}

const byWorth = (x: MarketEdge, y: MarketEdge): number =>
  (y.executable ?? -Infinity) - (x.executable ?? -Infinity) ||
  Math.abs(y.edge) - Math.abs(x.edge) ||
  (x.kind < y.kind ? -1 : 1)

function gathered(snapshot: ContextSnapshot): Map<Ticker, MarketEdge[]> {
  const outcomes = new Map<string, MarketQuantities[]>()
  for (const market of snapshot.eventEdges.length === 0 ? [] : snapshot.markets.values()) {
    const { facts, status } = market.view
    if (status !== 'active') continue
    const event = `${facts.venue} ${facts.eventId}`
    const known = outcomes.get(event)
    if (known === undefined) outcomes.set(event, [market])
    else known.push(market)
  }
  const edges = new Map<Ticker, MarketEdge[]>()
  const all = [
    ...[...snapshot.crossVenue.values()].flatMap((pair) => ofPair(pair, snapshot)),
    ...snapshot.eventEdges.flatMap((event) =>
      ofEvent(event, outcomes.get(`${event.venue} ${event.eventId}`) ?? [], snapshot),
    ),
  ]
  for (const [ticker, edge] of all) {
    const known = edges.get(ticker)
    if (known === undefined) edges.set(ticker, [edge])
    else known.push(edge)
  }
  for (const list of edges.values()) list.sort(byWorth)
  return edges
}

const edgesBySnapshot = new WeakMap<ContextSnapshot, ReadonlyMap<Ticker, readonly MarketEdge[]>>()

/**
 * Edges of every market of a snapshot by their net after costs, descending; computed once per
 * snapshot.
 */
export function marketEdges(snapshot: ContextSnapshot): ReadonlyMap<Ticker, readonly MarketEdge[]> {
  const known = edgesBySnapshot.get(snapshot)
  if (known !== undefined) return known
  const made = gathered(snapshot)
  edgesBySnapshot.set(snapshot, made)
  return made
}
