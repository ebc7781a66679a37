import type { BookLevel, Candle, Venue } from '../../api/types.ts'
import { takerFee } from './taker-fee.ts'

/** One side of a pair: where it trades and what it closed at. */
export interface SpreadSide {
  readonly venue: Venue
  /** Ascending. */
  readonly candles: readonly Candle[]
}

export interface SpreadPoint {
  /** Unix seconds. */
  readonly t: number
  readonly at: string
  readonly here: number
  /** As the question here sees it: turned where the other asks the opposite. */
  readonly there: number
  /** Here less there, cents; null where a feed was interrupted. */
  readonly gap: number | null
  /** What is left of the gap's size after both takers' fees, before the spread; below 0 it costs. */
  readonly net: number | null
}

/** The price of the other question as this one sees it. */
export const alignedPrice = (price: number, inverted: boolean): number =>
  inverted ? 100 - price : price

/**
 * Closes of both markets against each other, oldest first, from the first time that both were
 * priced. A price stands until the next bar; a bar across a feed gap leaves the gap unknown.
 */
export function spreadHistory(
  here: SpreadSide,
  there: SpreadSide,
  inverted: boolean,
): readonly SpreadPoint[] {
  const times = [...new Set([...here.candles, ...there.candles].map(({ t }) => t))].sort(
    (left, right) => left - right,
  )
  const left = new Map(here.candles.map((candle) => [candle.t, candle]))
  const right = new Map(there.candles.map((candle) => [candle.t, candle]))
  let [own, other]: [Candle | null, Candle | null] = [null, null]
  const points: SpreadPoint[] = []
  for (const t of times) {
    const [newOwn, newOther] = [left.get(t), right.get(t)]
    own = newOwn ?? own
    other = newOther ?? other
    const at = (newOwn ?? newOther)?.at
    if (own === null || other === null || at === undefined) continue
    const aligned = alignedPrice(other.c, inverted)
    const isBroken = own.gap === true || other.gap === true
    const gap = own.c - aligned
    const fees = takerFee(here.venue, own.c) + takerFee(there.venue, other.c)
    points.push({
      ...{ t, at, here: own.c, there: aligned },
      gap: isBroken ? null : gap,
      net: isBroken ? null : Math.abs(gap) - fees,
    })
  }
  return points
}

interface Quoted {
  readonly venue: Venue
  readonly bidLevels?: readonly BookLevel[]
  readonly askLevels?: readonly BookLevel[]
}

/** Buying YES of one and NO of the other at the best prices. */
export interface PairTrade {
  readonly buyYes: 'here' | 'there'
  /** Left after both fees, cents a contract; below 0 it costs. */
  readonly net: number
  /** Contracts at those prices. */
  readonly size: number
}

/**
 * The better way to trade both now at the best levels, if they settle alike (methodology E3); null
 * while a side has no book.
 */
export function bestTrade(here: Quoted, there: Quoted, inverted: boolean): PairTrade | null {
  const [bidHere, askHere] = [here.bidLevels?.[0], here.askLevels?.[0]]
  const [bid, ask] = [there.bidLevels?.[0], there.askLevels?.[0]]
  const turned = (level: BookLevel | undefined) =>
    level === undefined ? undefined : { price: 100 - level.price, size: level.size }
  const [bidThere, askThere] = inverted ? [turned(ask), turned(bid)] : [bid, ask]
  const way = (
    buyYes: PairTrade['buyYes'],
    buy: BookLevel | undefined,
    sell: BookLevel | undefined,
  ): readonly PairTrade[] => {
    if (buy === undefined || sell === undefined) return []
    const [own, other] = buyYes === 'here' ? [buy.price, sell.price] : [sell.price, buy.price]
    const fees = takerFee(here.venue, own) + takerFee(there.venue, other)
    return [{ buyYes, net: sell.price - buy.price - fees, size: Math.min(buy.size, sell.size) }]
  }
  const ways = [...way('here', askHere, bidThere), ...way('there', askThere, bidHere)]
  return ways.toSorted((left, right) => right.net - left.net)[0] ?? null
}
