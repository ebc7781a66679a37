import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Ticker, Venue } from '../market.ts'
import type { Cents, Millis } from '../units.ts'

/** The facts about one market that an answer may use; null is unknown. */
export interface AnswerMarket {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly title: string
  /** Outcome label in an event with several outcomes. */
  readonly outcome: string | null
  readonly price: Cents | null
  /** Cents. */
  readonly change24h: number | null
  readonly volume24hUsd: number | null
  readonly spread: Cents | null
  readonly liquidity: LiquidityScore
  readonly closeTime: Millis | null
  /** Time of the quote. */
  readonly updatedAt: Millis
  /** Volume surprise in standard deviations (A9). */
  readonly vr: number | null
}

/** The same question on the other venue; its price is aligned to this market's YES. */
export interface AnswerCounterpart {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly price: Cents | null
  /** The other price minus this one, cents. */
  readonly gap: number | null
}

/** An inconsistency between prices, or a market that has not made its expected move. */
export interface AnswerTension {
  readonly kind: 'cross_venue_edge' | 'basket_edge' | 'ladder_edge' | 'divergence'
  /** Cents after fees; for a divergence the expected move. */
  readonly cents: number
  readonly text: string
  /** A market of it; null for an event. */
  readonly ticker: Ticker | null
}

/** All inputs of an answer. */
export interface AnswerFacts {
  readonly at: Millis
  /** The best market of the best event. */
  readonly headline: AnswerMarket
  /** Markets that match the question, best first, including the headline. */
  readonly markets: readonly AnswerMarket[]
  readonly counterpart: AnswerCounterpart | null
  /** Outcomes of the headline's exclusive event, highest price first; otherwise empty. */
  readonly outcomes: readonly AnswerMarket[]
  /**
   * Outcomes of that event that together are what the question asks, highest price first; empty
   * unless there are several, all priced, and others besides.
   */
  readonly combined: readonly AnswerMarket[]
  /** Title of the headline's event. */
  readonly eventTitle: string | null
  /** Strongest first. */
  readonly tensions: readonly AnswerTension[]
}
