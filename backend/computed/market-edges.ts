import type { SuggestionEdge } from '../domain/edges/suggestion.ts'
import { LINK_PARAMS } from '../domain/links/link-params.ts'
import type { Side, Ticker } from '../domain/market.ts'
import { alignedPrice } from '../domain/pairing/pairs.ts'
import { roundTo } from '../domain/units.ts'
import type { CrossVenueEdge, EventEdges, Grid, GridMarket } from './grid/grid.ts'

/** An edge of one market that prices carry by themselves (methodology E3 to E5). */
export interface MarketEdge extends SuggestionEdge {
  readonly kind: 'cross_venue' | 'basket' | 'ladder'
}

const opposite = (side: Side): Side => (side === 'yes' ? 'no' : 'yes')

/** All-in price of taking a side at its best level, cents; null without one. */
const priceOfSide = ({ view }: GridMarket, side: Side): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : 100 - view.bestBid
}

/** An edge whose legs together leave `net`: what this leg's price and that gain add up to is fair. */
function edgeOf(
  market: GridMarket,
  direction: Side,
  found: Pick<MarketEdge, 'kind' | 'confidence'> & {
    /** Cents by which prices contradict each other, before costs; its size alone counts. */
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

/** Legs of a pair that may be traded as one question, each with the side that it takes. */
function ofPair({ pair, edge, isTradable }: CrossVenueEdge, grid: Grid): [Ticker, MarketEdge][] {
  const [a, b] = [grid.markets.get(pair.a), grid.markets.get(pair.b)]
  if (!isTradable || edge === null || a === undefined || b === undefined) return []
  const other = alignedPrice(b.view.mark, pair.inverted)
  if (a.view.mark === null || other === null) return []
  const sideOfA: Side = edge.buyYes === 'a' ? 'yes' : 'no'
  // The opposite question's NO is this question's YES.
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

/** Edges of an event's outcomes: each leg of a basket, the easier and the harder rung of a ladder. */
function ofEvent(
  { baskets, ladders }: EventEdges,
  outcomes: readonly GridMarket[],
  grid: Grid,
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
      const market = grid.markets.get(ticker)
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

function gathered(grid: Grid): Map<Ticker, MarketEdge[]> {
  const outcomes = new Map<string, GridMarket[]>()
  for (const market of grid.eventEdges.length === 0 ? [] : grid.markets.values()) {
    const { facts, status } = market.view
    if (status !== 'active') continue
    const event = `${facts.venue} ${facts.eventId}`
    const known = outcomes.get(event)
    if (known === undefined) outcomes.set(event, [market])
    else known.push(market)
  }
  const edges = new Map<Ticker, MarketEdge[]>()
  const all = [
    ...[...grid.crossVenue.values()].flatMap((pair) => ofPair(pair, grid)),
    ...grid.eventEdges.flatMap((event) =>
      ofEvent(event, outcomes.get(`${event.venue} ${event.eventId}`) ?? [], grid),
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

const kept = new WeakMap<Grid, ReadonlyMap<Ticker, readonly MarketEdge[]>>()

/** Edges of every market of a grid by what they leave after costs, descending; made once a grid. */
export function marketEdges(grid: Grid): ReadonlyMap<Ticker, readonly MarketEdge[]> {
  const known = kept.get(grid)
  if (known !== undefined) return known
  const made = gathered(grid)
  kept.set(grid, made)
  return made
}
