import type { Timeframe } from '../../backend/domain/candle.ts'

/** Bodies of the read routes that the page uses, as the contract states them. */
export type Iso = string
export type Cents = number | null
export type Num = number | null
export type Venue = 'venue_a' | 'venue_b'
export type MarketStatus = 'upcoming' | 'active' | 'paused' | 'closed' | 'resolving' | 'settled'
export type VolumeUnit = 'contracts' | 'usd'

export interface MarketRef {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: Cents
  readonly url: string
}

export interface MarketRow {
  readonly ticker: string
  /** A demo made it. */
  readonly sample?: true
  readonly venue: Venue
  readonly title: string
  readonly subtitle: string | null
  readonly slug: string
  readonly eventId: string
  readonly eventTitle: string | null
  readonly seriesId: string | null
  readonly category: string
  readonly topics: readonly string[]
  readonly status: MarketStatus
  readonly result: 'yes' | 'no' | 'scalar' | null
  readonly price: Cents
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly spread: Cents
  readonly lastPrice: Cents
  readonly change24h: Num
  readonly volume: Num
  readonly volume24h: Num
  readonly volumeUnit: VolumeUnit
  readonly openInterest: Num
  readonly liquidityScore: 'high' | 'medium' | 'low'
  readonly openTime: Iso | null
  readonly closeTime: Iso | null
  readonly tauDays: number | null
  readonly updatedAt: Iso
  /** Only on /newmarkets. */
  readonly firstSeenAt?: Iso
}

/** The lists of markets: /markets, /newmarkets, /screen. */
export interface MarketPage {
  readonly markets: readonly MarketRow[]
  readonly count: number
  readonly total: number
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly generatedAt: Iso
}

export interface ScanPage {
  readonly query: string
  readonly results: readonly (MarketRow & { readonly score: number })[]
  readonly count: number
  readonly generatedAt: Iso
}

export interface LiveTicker {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: Cents
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly lastPrice: Cents
  readonly change24h: Num
  readonly volume24h: Num
  readonly updatedAt: Iso
}
export interface LiveTickers {
  readonly tickers: readonly LiveTicker[]
  readonly count: number
  readonly generatedAt: Iso
}

export interface BookLevel {
  readonly price: number
  readonly size: number
}

export interface Indicators {
  readonly iy: Num
  readonly iyYes: Num
  readonly iyNo: Num
  readonly adjIy: Num
  readonly cri: Num
  readonly ee: Num
  readonly las: Num
  readonly cvr: Num
  readonly tau: Num
  readonly tauDays: number | null
  readonly overround: Num
  readonly rv: Num
  readonly vr: Num
  readonly iar: Num
}

export interface MarketDetail extends MarketRow {
  readonly description: string
  readonly rulesUrl: string | null
  readonly expirationTime: Iso | null
  readonly tickSize: Num
  readonly exclusive: boolean
  readonly bidLevels?: readonly BookLevel[]
  readonly askLevels?: readonly BookLevel[]
  readonly depthAt?: Iso
  readonly indicators: Indicators
  readonly siblings: readonly MarketRef[]
  readonly fetchedAt: Iso
}

export interface Candle {
  /** Unix seconds of the bar's start. */
  readonly t: number
  readonly at: Iso
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: Num
  readonly partial?: true
  readonly gap?: true
}
export interface CandlePage {
  readonly ticker: string
  readonly venue: Venue
  readonly timeframe: Timeframe
  readonly volumeUnit: VolumeUnit
  readonly candles: readonly Candle[]
  readonly count: number
  readonly nextBefore: Iso | null
}

export interface PriceChange {
  readonly at: Iso
  readonly price: number
  readonly delta: number
  readonly iy: Num
  readonly cri: Num
}
/** A regime as it was worked out at an instant. */
export interface RegimeChange {
  readonly at: Iso
  /** 0 to 1. */
  readonly score: Num
  readonly label: string
  readonly spreadCents: Num
  readonly bidDepthUsd: Num
  readonly askDepthUsd: Num
  readonly volume24h: Num
}
/** What a feed missed: still, or until it was fetched. */
export interface FeedGap {
  readonly feed: string
  readonly state: 'gap' | 'repaired'
  readonly from: Iso
  readonly to: Iso
  readonly reason: string | null
}
export interface MarketHistory {
  readonly ticker: string
  readonly windowDays: number
  readonly indicatorHistory: readonly PriceChange[]
  readonly indicatorCount: number
  readonly regimeHistory: readonly RegimeChange[]
  /** Absent when nothing was missed. */
  readonly gaps?: readonly FeedGap[]
}

export interface MarketChange extends MarketRef {
  readonly id: string
  readonly type: string
  readonly before: number | string | null
  readonly after: number | string | null
  readonly delta: Num
  readonly at: Iso
}
export interface ChangesPage {
  readonly since: Iso
  readonly to: Iso
  readonly changes: readonly MarketChange[]
  readonly count: number
  readonly hasMore: boolean
}

export type DataSource = 'live' | 'demo' | 'replay' | 'none'
export interface Health {
  readonly status: 'ok'
  readonly service: string
  readonly version: string
  readonly uptimeSeconds: number
  readonly time: Iso
  /** What the data are: from the venues, made up, or none yet. */
  readonly source?: DataSource | null
}

export type ComponentStatus = 'operational' | 'degraded' | 'outage'
export interface StatusComponent {
  readonly name: string
  readonly status: ComponentStatus
  readonly lastOkAt: Iso | null
  readonly dataAgeSeconds: Num
  readonly message: string | null
}
/** Something that was not in order for a while. */
export interface Incident {
  readonly id: string
  readonly title: string
  readonly impact: string
  readonly startedAt: Iso
  readonly resolvedAt: Iso | null
}
export interface ServiceStatus {
  readonly status: ComponentStatus
  readonly components: readonly StatusComponent[]
  readonly incidents?: readonly Incident[]
  readonly updatedAt: Iso
}
