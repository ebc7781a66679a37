import type { AdverseSelection } from '../../domain/regime/adverse-selection.ts'
import type { ChangeRates } from '../../domain/changes/change-rows.ts'
import type { BasketEdge } from '../../domain/edges/implied-edges.ts'
import type { LadderEdge } from '../../domain/edges/ladder-edges.ts'
import type { PairedEdge } from '../../domain/edges/implied-edges.ts'
import type { EventType, Observability } from '../../domain/topics/event-type-rules.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import type { MarketRegime } from '../../domain/regime/regime.ts'
import type { DailyMarks, TrendLabel } from '../../domain/trend/trend-label.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { VolumeSurprise } from '../../domain/liquidity/volume-ratio.ts'
import type { IndexReading } from '../../domain/world/gauges/index-reading.ts'
import type { TradedMoves } from '../../domain/world/world-market.ts'
import type { MarketView } from '../board/market-board.ts'
import type { Ladder } from './structure/structure.ts'

/**
 * Quantities of one live market at a snapshot instant beyond its prices. Numbers are not rounded
 * unless their own functions round; null is unknown.
 */
export interface MarketQuantities {
  /** The market at the snapshot instant. */
  readonly view: MarketView
  /** A topic, otherwise the category. */
  readonly theme: string
  readonly eventType: EventType
  readonly observability: Observability
  /** Share of what takers pay that makers lose again (A11). */
  readonly adverse: AdverseSelection
  /** Without edges, which depend on the caller; null for a market that is not live. */
  readonly regime: MarketRegime | null
  readonly trendLabel: TrendLabel | null
  /** Changes an hour and realised volatility (A8). */
  readonly rates: ChangeRates
  /** Changes of the traded price in the last 24 hours (B4). */
  readonly changes24h: number
  /** Newest traded prices at the snapshot's quarter hour and 24 hours earlier. */
  readonly traded: { readonly now: Cents | null; readonly dayAgo: Cents | null }
  /** Volume surprise (A9). */
  readonly surprise: VolumeSurprise
  /** Days to the nearest catalyst, otherwise to the expected resolution. */
  readonly daysToEvent: number | null
  /** Cents by which an exclusive event's asks exceed 100 (A7). */
  readonly overround: Cents | null
  /** Cents per root hour over the last seven days, A8's volC. */
  readonly volatility: number | null
  /** The same over the seven days before each window of contagion (D5). */
  readonly volatilityBefore: Readonly<Record<GapWindow, number | null>>
  /** Marks at t − 24 h × 7, …, t − 24 h, t. */
  readonly dailyMarks: DailyMarks
  /** Marks at the start of each window of contagion. */
  readonly marksAgo: Readonly<Record<GapWindow, Cents | null>>
  /** Whether a valid two-sided book was known at the start of each window. */
  readonly quotedAgo: Readonly<Record<GapWindow, boolean>>
  /** Headline price 24 hours before. */
  readonly priceDayAgo: Cents | null
  /** Dollars of the 24 hours that ended a day ago; null when unknown. */
  readonly volumeDayAgoUsd: number | null
  /** Median spread at the ends of the last seven days. */
  readonly medianSpread7d: Cents | null
  /** Standard deviation of the daily marks of seven days. */
  readonly markSd7d: number | null
  /** Movement of the traded price in the last 24 hours, by quarter hours (B1). */
  readonly tradedMoves: TradedMoves | null
  /** Hours since the last trade or quote change; null when both are unknown. */
  readonly idleHours: number | null
}

/** A pair of one question on two venues and the net of trading it. */
export interface CrossVenueEdge {
  readonly pair: MarketPair
  /** Null without both books; may be negative. */
  readonly edge: PairedEdge | null
  /** Net cents per contract at the reference size. */
  readonly executableGap: number | null
  /** Simple annual yield of the net on its cost, percent. */
  readonly yieldPct: number | null
  /** High confidence, similar close times, no known difference in rules, a believable net. */
  readonly isTradable: boolean
}

/** Inconsistent prices within one event. */
export interface EventEdges {
  readonly venue: Venue
  readonly eventId: string
  readonly eventTitle: string | null
  readonly baskets: readonly BasketEdge[]
  readonly ladders: readonly LadderEdge[]
}

/** Everything computed at one quarter hour, of all markets that may still trade. */
export interface ContextSnapshot {
  readonly at: Millis
  readonly markets: ReadonlyMap<Ticker, MarketQuantities>
  /** By confidence descending, then tickers (D7). */
  readonly pairs: readonly MarketPair[]
  /** The best pair of a market of either venue. */
  readonly pairOf: ReadonlyMap<Ticker, MarketPair>
  /** Every pair by market of either venue, by confidence descending. */
  readonly pairsOf: ReadonlyMap<Ticker, readonly MarketPair[]>
  readonly links: readonly MarketLink[]
  /** Links by either end. */
  readonly linksOf: ReadonlyMap<Ticker, readonly MarketLink[]>
  /** Served gaps over a window that show two prices to disagree, widest first (D5); computed on first access. */
  gaps(window: GapWindow): readonly ContagionGap[]
  /** One of these gaps per situation, at most two per event, widest first. */
  distinctGaps(window: GapWindow): readonly ContagionGap[]
  /** Markets of an event in the order of their strikes or days. */
  readonly ladders: readonly Ladder[]
  /** By pair id. */
  readonly crossVenue: ReadonlyMap<string, CrossVenueEdge>
  /** Events with inconsistent prices, by net descending. */
  readonly eventEdges: readonly EventEdges[]
  /** Estimated response of `to` to a cent of `from` (D2). */
  betaOf(from: Ticker, to: Ticker): number | null
  /** Of the world (`''`), the topics and the groups. */
  readonly indices: ReadonlyMap<string, IndexReading>
}
