import type { LiquidityScore } from '../liquidity.ts'
import type { Ticker, Venue } from '../market.ts'
import type { Cents, Millis } from '../units.ts'

/** What an answer may say of one market; null is unknown. */
export interface AnswerMarket {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly title: string
  /** Outcome of an event of several. */
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

/** The same question on the other venue; its price turned to this market's YES. */
export interface AnswerCounterpart {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly price: Cents | null
  /** The other price less this one, cents. */
  readonly gap: number | null
}

/** A contradiction between prices or a market that owes a move. */
export interface AnswerTension {
  readonly kind: 'cross_venue_edge' | 'basket_edge' | 'ladder_edge' | 'divergence'
  /** Cents after fees; of a divergence the owed move. */
  readonly cents: number
  readonly text: string
}

/** Everything an answer is made of. */
export interface AnswerFacts {
  readonly at: Millis
  /** The best market of the best event. */
  readonly headline: AnswerMarket
  /** Markets that answer the question, best first, the headline among them. */
  readonly markets: readonly AnswerMarket[]
  readonly counterpart: AnswerCounterpart | null
  /** Outcomes of the headline's event where at most one wins, highest price first; else empty. */
  readonly outcomes: readonly AnswerMarket[]
  /** Strongest first. */
  readonly tensions: readonly AnswerTension[]
}
