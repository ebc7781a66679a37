import { EDGE_PARAMS } from '../../edges/edge-params.ts'
import { crossVenueEdge, invertedBook, type EdgeLeg } from '../../edges/implied-edges.ts'
import { generalTerms } from '../../fees.ts'
import type { OrderBook, Side, Ticker } from '../../market.ts'
import { priceOfCents, roundTo, sizeOfContracts, type Cents } from '../../units.ts'
import type { TickDecision } from '../tick.ts'
import {
  basisOf,
  costOf,
  ENTRY_CONTRACTS,
  planOrder,
  roundPrice,
  type DecisionInput,
  type DecisionMarket,
  type TradingPair,
} from './decision-parts.ts'

/** Cents that a contract of both legs must leave after both fees. */
const MIN_NET = 1
/** Pairs that one tick enters. */
const MAX_PAIRS = 5
/** Contracts at a best price whose size is unknown, as the paper broker assumes. */
const UNKNOWN_SIZE = 25

/** The direction of a pair that pays, at the best prices of both markets. */
interface PayingPair {
  readonly pair: TradingPair
  readonly net: number
  /** Cents of both legs with their fees. */
  readonly cost: number
  readonly size: number
  readonly legs: readonly {
    readonly ticker: Ticker
    readonly market: DecisionMarket
    readonly side: Side
  }[]
}

/**
 * Entries of cross-venue pairs, best net first: YES of one question is bought on one venue and NO
 * on the other, equal contracts of both. The legs follow each other and name their pair, so that
 * both or none are traded.
 * @param usedTickers markets that are held or entered already; those of the entries are added
 */
export function pairEntries(input: DecisionInput, usedTickers: Set<Ticker>): TickDecision[] {
  const min = Math.max(MIN_NET, input.limits.minEdgeCents)
  const paying = input.pairs
    .flatMap((pair) => payingPair(pair, input) ?? [])
    // A larger net is more likely an error in the match than a profit.
    .filter(({ net }) => net >= min && net <= EDGE_PARAMS.maxPairNet)
    .toSorted((a, b) => b.net - a.net || (a.pair.id < b.pair.id ? -1 : 1))
  const decisions: TickDecision[] = []
  for (const found of paying) {
    const { pair, legs } = found
    if (decisions.length >= 2 * MAX_PAIRS) break
    if (usedTickers.has(pair.a) || usedTickers.has(pair.b)) continue
    const orders = legOrders(found, min, input.limits.maxSingleOrderCents)
    if (orders.length === 0) continue
    for (const { ticker } of legs) usedTickers.add(ticker)
    decisions.push(...orders)
  }
  return decisions
}

function payingPair(pair: TradingPair, { markets }: DecisionInput): PayingPair | null {
  const [a, b] = [markets.get(pair.a), markets.get(pair.b)]
  if (a?.status !== 'active' || b?.status !== 'active') return null
  const otherLeg = legOf(b)
  const alignedOutcome = {
    ...otherLeg,
    book: otherLeg.book !== null && pair.inverted ? invertedBook(otherLeg.book) : otherLeg.book,
  }
  const edge = crossVenueEdge(legOf(a), alignedOutcome)
  if (edge === null) return null
  const sideOfA: Side = edge.buyYes === 'a' ? 'yes' : 'no'
  const opposite: Side = sideOfA === 'yes' ? 'no' : 'yes'
  const legs = [
    { ticker: pair.a, market: a, side: sideOfA },
    { ticker: pair.b, market: b, side: pair.inverted ? sideOfA : opposite },
  ]
  return { pair, net: edge.net, cost: edge.cost, size: edge.size, legs }
}

/** The best prices of a market as its book. */
function legOf({ venue, bid, ask, bidSize, askSize }: DecisionMarket): EdgeLeg {
  const level = (cents: number | null, contracts: number | null): OrderBook['bids'] =>
    cents === null
      ? []
      : [
          {
            price: priceOfCents(cents as Cents),
            size: sizeOfContracts(contracts ?? UNKNOWN_SIZE),
          },
        ]
  return {
    book: { bids: level(bid, bidSize), asks: level(ask, askSize) },
    fees: generalTerms(venue),
  }
}

/** The orders of both legs; none when not one contract of each can be bought. */
function legOrders(
  { pair, net, cost, size, legs }: PayingPair,
  min: number,
  maxSingleOrderCents: number,
): TickDecision[] {
  const prices = legs.map(({ market, side }) => costOf(market, side) ?? 100)
  const maxPrice = Math.max(...prices)
  const affordable = Math.floor(maxSingleOrderCents / maxPrice)
  const quantity = Math.min(ENTRY_CONTRACTS, affordable, Math.floor(size))
  if (quantity < 1) return []
  const [netCents, costCents] = [roundTo(net, 2), roundTo(cost, 2)]
  const reason = `a pair of both venues costs ${costCents}¢ with both fees and pays 100¢ if the questions settle alike: ${netCents}¢ remain; both legs or none`
  return legs.map(({ ticker, market, side }, index) => {
    const price = prices[index] ?? 0
    const basis = basisOf({ pair: true })
    const subject = { ...market, ticker, direction: side, confidence: pair.confidence, basis }
    return planOrder(subject, {
      quantity,
      price,
      // Either leg may become dearer by half of what is left.
      bound: Math.min(99.99, roundPrice(price + (net - min) / 2)),
      reason,
      exitReason: null,
      support: { edgeCents: netCents, edgeNote: null, confidence: pair.confidence },
      pairId: pair.id,
    })
  })
}
