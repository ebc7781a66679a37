import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Ticker, Venue } from '../market.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/**
 * Position of a market in a ladder of one question: strikes ascending, or dates as milliseconds.
 */
export interface LadderRung {
  /** Id of the ladder, shared by its markets. */
  readonly ladder: string
  readonly at: number
}

/**
 * The inputs of the world's quantities for a live market at one instant. Texts are the venue's;
 * numbers are unrounded unless stated otherwise; null is unknown.
 */
export interface WorldMarket {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  readonly subtitle: string | null
  readonly slug: string
  readonly eventId: string
  readonly eventTitle: string | null
  readonly seriesId: string | null
  readonly seriesTitle: string | null
  readonly category: string
  /** Keys of the topic tree, root first. */
  readonly topics: readonly string[]
  /** Its single theme: a topic, otherwise the category. */
  readonly theme: string
  /** At most one market of the event ends YES. */
  readonly exclusive: boolean
  /** At least one market of the event ends YES. */
  readonly exhaustive: boolean
  readonly rung: LadderRung | null
  /** A parlay of several legs. */
  readonly multiLeg: boolean
  readonly firstSeenAt: Millis
  readonly listedAt: Millis | null
  readonly closeTime: Millis | null
  /** Exact days to the close. */
  readonly tau: number | null
  /** Days to the nearest catalyst, otherwise to the expected resolution (A9). */
  readonly daysToEvent: number | null
  /** Nearest linked calendar entry ahead (A9). */
  readonly catalyst: { readonly title: string; readonly at: Millis } | null
  /** Headline price. */
  readonly price: Cents | null
  readonly mark: Cents | null
  readonly spread: Cents | null
  /** Valid two-sided book. */
  readonly twoSided: boolean
  /** Headline price 24 hours ago. */
  readonly priceDayAgo: Cents | null
  readonly markDayAgo: Cents | null
  readonly markAtBaseline: Cents | null
  /** In the venue's unit. */
  readonly volume24h: number | null
  readonly volume24hUsd: number | null
  readonly liquidity: LiquidityScore
  readonly cri: number | null
  readonly las: number | null
  readonly adjIy: number | null
  readonly vr: number | null
  readonly residualVr: number | null
  readonly trendLabel: string | null
  /** Standard deviation of the daily marks of 7 days, cents. */
  readonly markSd7d: number | null
  /** Movement of the traded price in the last day (B1). */
  readonly tradedMoves: TradedMoves | null
}

export interface TradedMoves {
  /** Root of the sum of squared changes per hour, cents per root hour. */
  readonly sigma: number
  /** Number of non-zero changes. */
  readonly changes: number
}

/** `to` minus `from` without float noise; null when either is unknown. */
export const moveOf = (to: number | null, from: number | null): number | null =>
  to === null || from === null ? null : roundTo(to - from, 4)

/** Change of the mark in 24 hours. */
export const markMove24h = (market: WorldMarket): number | null =>
  moveOf(market.mark, market.markDayAgo)

/** Change of the mark since the baseline. */
export const markMoveSinceBaseline = (market: WorldMarket): number | null =>
  moveOf(market.mark, market.markAtBaseline)

/** Change of the headline price in 24 hours, as served. */
export const priceMove24h = (market: WorldMarket): number | null => {
  const move = moveOf(market.price, market.priceDayAgo)
  return move === null ? null : roundTo(move, 2)
}

/** Ascending by code units; breaks every tie. */
export const byTicker = (a: { readonly ticker: string }, b: { readonly ticker: string }): number =>
  a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0
