import { feePerContract } from '../fees.ts'
import type { FeeTerms } from '../fees.ts'
import type { BookLevel, OrderBook } from '../market.ts'
import { presetDays } from '../pairing/pairs.ts'
import type { MarketPair } from '../pairing/pairs.ts'
import { walk } from '../prices/orderbook.ts'
import { centsOf, contractsOf } from '../units.ts'
import type { Cents } from '../units.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'

/** One leg that is tradable now: its book on the YES scale and the taker fee terms. */
export interface EdgeLeg {
  readonly book: OrderBook | null
  readonly fees: FeeTerms
}

/** Profit locked in by trading both legs if they settle alike; cents per contract. */
export interface PairedEdge {
  readonly net: number
  /** Cost of both legs with their fees, cents. */
  readonly cost: number
  /** Number of contracts up to which each further one is profitable. */
  readonly size: number
  /** The leg whose YES is bought. */
  readonly buyYes: 'a' | 'b'
}

/** Prices of buying YES or NO level by level, best first, in cents and contracts. */
interface Offer {
  readonly price: Cents
  readonly size: number
}
const yesOffers = (book: OrderBook): Offer[] => book.asks.map(offerOf)
const noOffers = (book: OrderBook): Offer[] =>
  book.bids.map(offerOf).map(({ price, size }) => ({ price: (100 - price) as Cents, size }))
const offerOf = ({ price, size }: BookLevel): Offer => ({
  price: centsOf(price),
  size: contractsOf(size),
})

/**
 * A book as seen from the opposite question: bids become asks at 100 minus their price, and vice
 * versa.
 */
export function invertedBook(book: OrderBook): OrderBook {
  const mirrorLevel = ({ price, size }: BookLevel): BookLevel => ({
    price: (10_000 - price) as BookLevel['price'],
    size,
  })
  return { bids: book.asks.map(mirrorLevel), asks: book.bids.map(mirrorLevel) }
}

/** Contracts of two offers that can be bought together while each further pair is profitable. */
function payingSize(
  yes: readonly Offer[],
  no: readonly Offer[],
  fees: readonly [FeeTerms, FeeTerms],
) {
  let [i, j, size, takenYes, takenNo] = [0, 0, 0, 0, 0]
  for (;;) {
    const [left, right] = [yes[i], no[j]]
    if (left === undefined || right === undefined) return size
    const fee = feePerContract(fees[0], left.price) + feePerContract(fees[1], right.price)
    if (100 - left.price - right.price - fee <= 0) return size
    const part = Math.min(left.size - takenYes, right.size - takenNo)
    size += part
    takenYes += part
    takenNo += part
    if (takenYes >= left.size) [i, takenYes] = [i + 1, 0]
    if (takenNo >= right.size) [j, takenNo] = [j + 1, 0]
  }
}

function yesAndNo(yes: EdgeLeg, no: EdgeLeg, buyYes: 'a' | 'b'): PairedEdge | null {
  if (yes.book === null || no.book === null) return null
  const [yesSide, noSide] = [yesOffers(yes.book), noOffers(no.book)]
  const [bestYes, bestNo] = [yesSide[0], noSide[0]]
  if (bestYes === undefined || bestNo === undefined) return null
  const fee = feePerContract(yes.fees, bestYes.price) + feePerContract(no.fees, bestNo.price)
  const cost = bestYes.price + bestNo.price + fee
  return { net: 100 - cost, cost, size: payingSize(yesSide, noSide, [yes.fees, no.fees]), buyYes }
}

/**
 * The better of buying YES here and NO there, or the reverse, at the best prices (methodology E3);
 * null without both books. May be negative. It is never riskless, because the rules can differ.
 * @param b aligned: `invertedBook` of an inverted pair's book
 */
export function crossVenueEdge(a: EdgeLeg, b: EdgeLeg): PairedEdge | null {
  const [firstPair, secondPair] = [yesAndNo(a, b, 'a'), yesAndNo(b, a, 'b')]
  if (firstPair === null || secondPair === null) return firstPair ?? secondPair
  return secondPair.net > firstPair.net ? secondPair : firstPair
}

/**
 * Cents per contract of the better direction at the reference size, including depth; null without
 * both books.
 */
export function executablePairGap(
  a: EdgeLeg,
  b: EdgeLeg,
  params: EdgeParams = EDGE_PARAMS,
): number | null {
  const ways = [
    [a, b],
    [b, a],
  ] as const
  const nets = ways.flatMap(([yes, no]) => {
    if (yes.book === null || no.book === null) return []
    const buyPrice = walk(yes.book.asks, params.size).price
    const sellPrice = walk(no.book.bids, params.size).price
    if (buyPrice === null || sellPrice === null) return []
    const opposite = (100 - sellPrice) as Cents
    const fee = feePerContract(yes.fees, buyPrice) + feePerContract(no.fees, opposite)
    return [100 - buyPrice - opposite - fee]
  })
  return nets.length === 0 ? null : Math.max(...nets)
}

/** Simple annual yield of a net gain on its cost, percent; null when the time left is unknown. */
export const annualisedYield = (edge: Pick<PairedEdge, 'net' | 'cost'>, tau: number | null) =>
  tau === null || tau <= 0 || edge.cost <= 0 ? null : ((edge.net * 365) / (tau * edge.cost)) * 100

/**
 * Whether a pair may be traded as one question: high confidence, similar times of close or decision, no known
 * difference in rules and a believable edge.
 * @param net cents per contract after fees; null without both books
 */
export const isTradablePair = (
  pair: Pick<MarketPair, 'confidence' | 'closeDeltaDays' | 'decisionDeltaDays'>,
  rulesDiffer: boolean,
  net: number | null,
  params: EdgeParams = EDGE_PARAMS,
): boolean =>
  pair.confidence >= params.pairConfidence &&
  (presetDays(pair) ?? Infinity) <= params.pairCloseDays &&
  !rulesDiffer &&
  (net === null || net <= params.maxPairNet)

/** A basket over all outcomes of an exclusive event. */
export interface BasketEdge {
  readonly kind: 'underround' | 'overround'
  /** Cents per set of one contract per outcome, after fees. */
  readonly net: number
  /** Number of sets available at the thinnest outcome. */
  readonly size: number
}

const minSize = (levels: readonly (BookLevel | undefined)[]): number =>
  Math.min(...levels.map((level) => (level === undefined ? 0 : contractsOf(level.size))))

/**
 * Edge of buying every outcome (only when exactly one wins) or selling every outcome (when at most
 * one wins); methodology E4. Null when an outcome lacks that side or there are fewer than two
 * outcomes.
 */
export function basketEdges(
  outcomes: readonly EdgeLeg[],
  event: { readonly exclusive: boolean; readonly exhaustive: boolean },
): BasketEdge[] {
  if (outcomes.length < 2) return []
  const edges: BasketEdge[] = []
  const asks = outcomes.map(({ book }) => book?.asks[0])
  const bids = outcomes.map(({ book }) => book?.bids[0])
  const total = (levels: readonly (BookLevel | undefined)[], isSale: boolean): number | null => {
    let sum = 0
    for (const [index, level] of levels.entries()) {
      if (level === undefined) return null
      const price = centsOf(level.price)
      const fee = feePerContract(outcomes[index]?.fees ?? null, price)
      sum += isSale ? price - fee : 0 - price - fee
    }
    return sum
  }
  const [boughtPrice, soldPrice] = [total(asks, false), total(bids, true)]
  if (event.exclusive && event.exhaustive && boughtPrice !== null) {
    edges.push({ kind: 'underround', net: 100 + boughtPrice, size: minSize(asks) })
  }
  if (event.exclusive && soldPrice !== null) {
    edges.push({ kind: 'overround', net: soldPrice - 100, size: minSize(bids) })
  }
  return edges
}
