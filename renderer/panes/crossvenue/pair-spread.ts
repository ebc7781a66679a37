import { takerFee } from '../../../backend/domain/fees.ts'
import type { Cents } from '../../../backend/domain/units.ts'
import type { BookLevel } from '../../../backend/contract/market.ts'
import type { Candle } from '../../../backend/contract/market-history.ts'
import type { Venue } from '../../../backend/domain/market.ts'

/** One market of a pair. */
export interface SpreadSide {
  readonly venue: Venue
  /** Ascending. */
  readonly candles: readonly Candle[]
}

export interface SpreadPoint {
  /** Unix seconds. */
  readonly t: number
  readonly at: string
  /** Close of the market, cents. */
  readonly price: number
  /** Close of the other as a price of the market's YES: inverted when it asks the opposite. */
  readonly otherPrice: number
  /** The market minus the other, cents; null during a feed gap. */
  readonly gap: number | null
  /** The absolute gap after both taker fees, before the spread; below 0 it is a loss. */
  readonly net: number | null
}

/** Taker fees of one contract at both venues, cents. */
const feesOf = (venue: Venue, price: number, otherVenue: Venue, otherPrice: number): number =>
  takerFee(venue, price as Cents) + takerFee(otherVenue, otherPrice as Cents)

/** A price of the other market as a price of this market's YES. */
export const alignedPrice = (price: number, isInverted: boolean): number =>
  isInverted ? 100 - price : price

/**
 * Closes of both markets against each other, oldest first, from the first time that both were
 * priced. A price holds until the next bar; a bar across a feed gap makes the gap unknown.
 */
export function spreadHistory(
  market: SpreadSide,
  other: SpreadSide,
  isInverted: boolean,
): readonly SpreadPoint[] {
  const times = [...new Set([...market.candles, ...other.candles].map(({ t }) => t))].sort(
    (left, right) => left - right,
  )
  const candles = new Map(market.candles.map((candle) => [candle.t, candle]))
  const otherCandles = new Map(other.candles.map((candle) => [candle.t, candle]))
  let [last, otherLast]: [Candle | null, Candle | null] = [null, null]
  const points: SpreadPoint[] = []
  for (const t of times) {
    const [candle, otherCandle] = [candles.get(t), otherCandles.get(t)]
    last = candle ?? last
    otherLast = otherCandle ?? otherLast
    const at = (candle ?? otherCandle)?.at
    if (last === null || otherLast === null || at === undefined) continue
    const otherPrice = alignedPrice(otherLast.c, isInverted)
    const hasFeedGap = last.gap === true || otherLast.gap === true
    const gap = last.c - otherPrice
    const fees = feesOf(market.venue, last.c, other.venue, otherLast.c)
    points.push({
      t,
      at,
      price: last.c,
      otherPrice,
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
  /** The market whose YES is bought; NO of the other is. */
  readonly buyYes: 'market' | 'other'
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
  market: QuotedMarket,
  other: QuotedMarket,
  isInverted: boolean,
): PairTrade | null {
  const [bid, ask] = [market.bidLevels?.[0], market.askLevels?.[0]]
  const [quotedBid, quotedAsk] = [other.bidLevels?.[0], other.askLevels?.[0]]
  const invertedLevel = (level: BookLevel | undefined) =>
    level === undefined ? undefined : { price: 100 - level.price, size: level.size }
  const [otherBid, otherAsk] = isInverted
    ? [invertedLevel(quotedAsk), invertedLevel(quotedBid)]
    : [quotedBid, quotedAsk]
  const tradeOf = (
    buyYes: PairTrade['buyYes'],
    buy: BookLevel | undefined,
    sell: BookLevel | undefined,
  ): readonly PairTrade[] => {
    if (buy === undefined || sell === undefined) return []
    const [price, otherPrice] =
      buyYes === 'market' ? [buy.price, sell.price] : [sell.price, buy.price]
    const fees = feesOf(market.venue, price, other.venue, otherPrice)
    return [{ buyYes, net: sell.price - buy.price - fees, size: Math.min(buy.size, sell.size) }]
  }
  const trades = [...tradeOf('market', ask, otherBid), ...tradeOf('other', otherAsk, bid)]
  return trades.toSorted((left, right) => right.net - left.net)[0] ?? null
}
