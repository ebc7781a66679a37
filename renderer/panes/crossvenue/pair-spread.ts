import { takerFee } from '../../../backend/domain/fees.ts'
import type { Cents } from '../../../backend/domain/units.ts'
import type { BookLevel } from '../../../backend/contract/market.ts'
import type { Candle } from '../../../backend/contract/market-history.ts'
import type { Venue } from '../../../backend/domain/market.ts'

/** One market of a pair: its market and its close. */
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
  /** As the probability of this market's YES: inverted when the other market asks the opposite. */
  readonly there: number
  /** This market minus the other, cents; null during a feed gap. */
  readonly gap: number | null
  /** The absolute gap after both taker fees, before the spread; below 0 it is a loss. */
  readonly net: number | null
}

/** Taker fees of one contract at both venues, cents. */
const feesOf = (here: Venue, own: number, there: Venue, other: number): number =>
  takerFee(here, own as Cents) + takerFee(there, other as Cents)

/** The price of the other market as a probability of this market's YES. */
export const alignedPrice = (price: number, inverted: boolean): number =>
  inverted ? 100 - price : price

/**
 * Closes of both markets against each other, oldest first, from the first time that both were
 * priced. A price holds until the next bar; a bar across a feed gap makes the gap unknown.
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
    const hasFeedGap = own.gap === true || other.gap === true
    const gap = own.c - aligned
    const fees = feesOf(here.venue, own.c, there.venue, other.c)
    points.push({
      t,
      at,
      here: own.c,
      there: aligned,
      gap: hasFeedGap ? null : gap,
      net: hasFeedGap ? null : Math.abs(gap) - fees,
    })
  }
  return points
}

interface QuotedMarket {
  readonly venue: Venue
  readonly bidLevels?: readonly BookLevel[]
  readonly askLevels?: readonly BookLevel[]
}

/** Buying YES of one and NO of the other at the best prices. */
export interface PairTrade {
  readonly buyYes: 'here' | 'there'
  /** Profit after both fees, cents a contract; below 0 it is a loss. */
  readonly net: number
  /** Contracts at those prices. */
  readonly size: number
}

/**
 * The better way to trade both at the best levels, assuming that they settle alike (methodology
 * E3); null while a side has no book.
 */
export function bestTrade(
  here: QuotedMarket,
  there: QuotedMarket,
  inverted: boolean,
): PairTrade | null {
  const [bidHere, askHere] = [here.bidLevels?.[0], here.askLevels?.[0]]
  const [bid, ask] = [there.bidLevels?.[0], there.askLevels?.[0]]
  const invertedLevel = (level: BookLevel | undefined) =>
    level === undefined ? undefined : { price: 100 - level.price, size: level.size }
  const [bidThere, askThere] = inverted ? [invertedLevel(ask), invertedLevel(bid)] : [bid, ask]
  const tradeOf = (
    buyYes: PairTrade['buyYes'],
    buy: BookLevel | undefined,
    sell: BookLevel | undefined,
  ): readonly PairTrade[] => {
    if (buy === undefined || sell === undefined) return []
    const [own, other] = buyYes === 'here' ? [buy.price, sell.price] : [sell.price, buy.price]
    const fees = feesOf(here.venue, own, there.venue, other)
    return [{ buyYes, net: sell.price - buy.price - fees, size: Math.min(buy.size, sell.size) }]
  }
  const trades = [...tradeOf('here', askHere, bidThere), ...tradeOf('there', askThere, bidHere)]
  return trades.toSorted((left, right) => right.net - left.net)[0] ?? null
}
