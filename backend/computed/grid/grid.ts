import type { AdverseSelection } from '../../domain/adverse-selection.ts'
import type { ChangeRates } from '../../domain/change-rows.ts'
import type { BasketEdge } from '../../domain/edges/implied-edges.ts'
import type { LadderEdge } from '../../domain/edges/ladder-edges.ts'
import type { PairedEdge } from '../../domain/edges/implied-edges.ts'
import type { EventType, Observability } from '../../domain/event-type-rules.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import type { MarketRegime } from '../../domain/regime.ts'
import type { DailyMarks, TrendLabel } from '../../domain/trend-label.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { VolumeSurprise } from '../../domain/volume-ratio.ts'
import type { IndexReading } from '../../domain/world/index-reading.ts'
import type { HourMoves } from '../../domain/world/world-market.ts'
import type { MarketView } from '../market-board.ts'
import type { Ladder } from './structure.ts'

/**
 * What is known of one live market at a grid instant beyond its prices. Numbers are not rounded
 * unless their own functions round; null is unknown.
 */
export interface GridMarket {
  /** The market as it stood at the grid instant. */
  readonly view: MarketView
  /** A topic, else the category. */
  readonly theme: string
  readonly eventType: EventType
  readonly observability: Observability
  /** Of what takers pay, the share that makers lose again (A11). */
  readonly adverse: AdverseSelection
  /** Without edges, which depend on who asks; null for a market that is not live. */
  readonly regime: MarketRegime | null
  readonly trendLabel: TrendLabel | null
  /** Changes an hour and realised volatility (A8). */
  readonly rates: ChangeRates
  /** Change rows of the last 24 hours (B4). */
  readonly changes24h: number
  /** Volume surprise (A9). */
  readonly surprise: VolumeSurprise
  /** Days to the nearest catalyst, else to the expected resolution. */
  readonly daysToEvent: number | null
  /** Cents by which an exclusive event's asks exceed 100 (A7). */
  readonly overround: Cents | null
  /** Cents per root hour over the last seven days, A8's volC. */
  readonly volatility: number | null
  /** Marks at t − 24 h × 7, …, t − 24 h, t. */
  readonly dailyMarks: DailyMarks
  /** Marks at the start of each window of contagion. */
  readonly marksAgo: Readonly<Record<GapWindow, Cents | null>>
  /** Headline price 24 hours before. */
  readonly priceDayAgo: Cents | null
  /** Dollars of the 24 hours that ended a day ago; null when not known. */
  readonly volumeDayAgoUsd: number | null
  /** Median spread at the ends of the last seven days. */
  readonly medianSpread7d: Cents | null
  /** Standard deviation of the daily marks of seven days. */
  readonly markSd7d: number | null
  /** Movement of the last hour, minute by minute (B1). */
  readonly hourMoves: HourMoves | null
  /** Hours since the last trade or change of quote; null when neither is known. */
  readonly idleHours: number | null
}

/** A pair of one question on two venues and what trading it would bring. */
export interface CrossVenueEdge {
  readonly pair: MarketPair
  /** Null without both books; may be negative. */
  readonly edge: PairedEdge | null
  /** Net cents per contract at the reference size. */
  readonly executableGap: number | null
  /** Simple yearly yield of the net on its cost, percent. */
  readonly yieldPct: number | null
  /** Sure enough, closing near, rules not known to differ. */
  readonly isTradable: boolean
}

/** Contradictions that prices of one event carry by themselves. */
export interface EventEdges {
  readonly venue: Venue
  readonly eventId: string
  readonly eventTitle: string | null
  readonly baskets: readonly BasketEdge[]
  readonly ladders: readonly LadderEdge[]
}

/** Everything computed at one quarter hour, of all markets that may still trade. */
export interface Grid {
  readonly at: Millis
  readonly markets: ReadonlyMap<Ticker, GridMarket>
  /** By confidence descending, then tickers (D7). */
  readonly pairs: readonly MarketPair[]
  /** The best pair of a market of either venue. */
  readonly pairOf: ReadonlyMap<Ticker, MarketPair>
  /** Every pair by market of either venue, by confidence descending. */
  readonly pairsOf: ReadonlyMap<Ticker, readonly MarketPair[]>
  readonly links: readonly MarketLink[]
  /** Links by either end. */
  readonly linksOf: ReadonlyMap<Ticker, readonly MarketLink[]>
  /** Served gaps over a window, widest first (D5); worked out when first asked. */
  gaps(window: GapWindow): readonly ContagionGap[]
  /** Markets of an event in the order of their strikes or days. */
  readonly ladders: readonly Ladder[]
  /** By pair id. */
  readonly crossVenue: ReadonlyMap<string, CrossVenueEdge>
  /** Events with a contradiction, by net descending. */
  readonly eventEdges: readonly EventEdges[]
  /** Estimated response of `to` to a cent of `from` (D2). */
  betaOf(from: Ticker, to: Ticker): number | null
  /** Of the world (`''`), the topics and the groups. */
  readonly indices: ReadonlyMap<string, IndexReading>
}
