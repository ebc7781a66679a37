import type { Catalyst, Mover } from './world-types.ts'
import type { Cents, Iso, MarketDetail, MarketRef, Num, Venue } from './types.ts'

/** Bodies of the context engine's reads, as the contract states them. */
export type Level = 'high' | 'medium' | 'low'

export interface EdgeRow {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly marketPrice: Cents
  readonly thesisPrice: number
  /** Thesis less market, cents. */
  readonly edge: number
  /** After crossing the book and the fee. */
  readonly executableEdge: Num
  readonly direction: 'yes' | 'no'
  /** 0 to 1. */
  readonly confidence: number
  readonly liquidityScore: Level
  readonly spread: Cents
  readonly reasoning: string
  readonly edgeAgeHours: Num
  /** Share of the edge that the market has taken up, 0 to 1. */
  readonly marketAbsorption: Num
  readonly edgeType: string
  readonly thesisSlug: string | null
  readonly private: boolean
}
export interface EdgeList {
  readonly edges: readonly EdgeRow[]
  readonly totalEdges: number
  readonly thesesScanned: number
  readonly generatedAt: Iso
}

export interface IdeaMarket extends MarketRef {
  readonly bestAsk: Cents
  readonly role: 'primary' | 'hedge'
}
export interface Idea {
  readonly id: string
  readonly headline: string
  readonly pitch: string
  readonly conviction: Level
  readonly direction: 'buy_yes' | 'buy_no'
  /** The primary one first. */
  readonly markets: readonly IdeaMarket[]
  readonly catalyst: string | null
  readonly catalystAt: Iso | null
  readonly timeHorizon: 'days' | 'weeks' | 'months'
  readonly risk: string
  readonly edgeCents: Num
  readonly basis: 'thesis_edge' | 'cross_venue' | 'yield' | 'contagion'
  readonly category: string
  readonly generatedBy: 'rule' | 'model'
  readonly createdAt: Iso
  readonly expiresAt: Iso
}
export interface IdeaList {
  readonly ideas: readonly Idea[]
  readonly generatedAt: Iso
}

export interface Highlight {
  /** From 0. */
  readonly rank: number
  readonly kind: 'mover' | 'edge' | 'contagion' | 'resolving' | 'new' | 'volume'
  readonly title: string
  readonly summary: string
  readonly ticker: string | null
  readonly price: Cents
  readonly delta24h: Num
  readonly at: Iso
}
export interface HighlightList {
  readonly highlights: readonly Highlight[]
  readonly generatedAt: Iso
}

export interface ContagionLink {
  readonly trigger: MarketRef & { readonly delta: number }
  readonly lagging: MarketRef & { readonly delta: number }
  /** Signed cents: the move that is owed. */
  readonly gap: number
  readonly relation: 'cross_venue' | 'series_sibling' | 'theme' | 'correlated'
  readonly direction: 'lagging' | 'overshooting'
  readonly theme: string | null
  readonly strength: number
  readonly window: string
  readonly detectedAt: Iso
}
/** How gaps of one kind of link did. */
export interface GapRecord {
  readonly kind: string
  readonly n: number
  /** Mean share of the gap that had closed, of the `n` gaps known by then. */
  readonly closed: readonly { readonly hours: number; readonly share: number; readonly n: number }[]
  readonly hitRate: Num
  /** Enough gaps, and no sign that they close. */
  readonly unproven: boolean
}
export interface ContagionList {
  readonly window: string
  readonly highlights: readonly ContagionLink[]
  readonly records?: readonly GapRecord[]
  readonly generatedAt: Iso
}

export interface PairLeg {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: Cents
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly volume24h: Num
  readonly closeTime: Iso | null
}
export interface Pair {
  readonly id: string
  /** 0 to 1. */
  readonly confidence: number
  readonly method: 'exact' | 'text' | 'reviewed'
  /** One answers the opposite of the other. */
  readonly inverted: boolean
  /** a less the aligned b, cents. */
  readonly gap: Num
  /** What trading both leaves at 100 contracts after fees, cents. */
  readonly executableGap: Num
  readonly closeDeltaDays: Num
  readonly a: PairLeg
  readonly b: PairLeg
  readonly status: 'active' | 'closed'
  readonly matchedAt: Iso
}
export interface PairPage {
  readonly pairs: readonly Pair[]
  readonly count: number
  readonly total: number
  readonly generatedAt: Iso
}

/** The same question on the other venue. */
export interface CrossMatch {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  /** This market's mark less the aligned mark of the other, cents. */
  readonly gap: Num
  readonly confidence: number
  readonly closeDeltaDays: Num
  readonly method: 'exact' | 'text' | 'reviewed'
  readonly inverted: boolean
}
export interface MatchedMarket extends MarketDetail {
  readonly crossVenue: CrossMatch | null
}

export type CurveShape = 'up' | 'flat' | 'inverted' | 'humped'
export interface YieldPoint {
  readonly ticker: string
  readonly title: string
  readonly tenorDays: number
  readonly price: Cents
  /** Percent a year. */
  readonly iy: Num
  readonly volume24h: Num
  readonly closeTime: Iso
}
export interface YieldCurve {
  readonly eventBase: string
  readonly venue: Venue
  readonly title: string
  readonly shape: CurveShape
  readonly pointCount: number
  readonly distinctTenorCount: number
  readonly totalVolume24h: Num
  readonly avgPrice: Cents
  readonly asOf: Iso
  /** Nearest first. */
  readonly points: readonly YieldPoint[]
}
export interface CurveList {
  readonly curves: readonly YieldCurve[]
  readonly generatedAt: Iso
}

export interface OddsRow {
  readonly slug: string
  readonly title: string
  readonly category: string
  readonly kind: 'binary' | 'multi'
  readonly price: Cents
  readonly leader: { readonly label: string; readonly ticker: string; readonly price: Cents } | null
  readonly delta24h: Num
  readonly volume24hUsd: Num
  readonly venues: readonly Venue[]
  readonly marketCount: number
  readonly tickers: readonly string[]
  readonly closeTime: Iso | null
}
export interface OddsList {
  readonly asOf: Iso
  readonly count: number
  readonly total: number
  readonly odds: readonly OddsRow[]
}

export interface CalibrationBucket {
  /** Cents. */
  readonly from: number
  readonly to: number
  readonly n: number
  readonly predictedMean: Num
  readonly realizedRate: Num
  readonly deviation: Num
  readonly brier: Num
}
export interface CalibrationGroup {
  readonly n: number
  readonly brier: Num
  readonly hitRate: Num
}
export interface Calibration {
  readonly source: Venue | 'all'
  readonly period: string
  readonly sample: number
  readonly coveragePct: Num
  readonly brier: Num
  readonly brierAtClose: Num
  /** 0 to 1. */
  readonly hitRate: Num
  readonly verdict: string | null
  readonly horizonHours: number
  readonly buckets: readonly CalibrationBucket[]
  readonly byVenue: readonly (CalibrationGroup & { readonly venue: Venue })[]
  readonly byCategory: readonly (CalibrationGroup & { readonly category: string })[]
  readonly from: Iso
  readonly to: Iso
  readonly generatedAt: Iso
}

export interface ThemeLiquidity {
  readonly theme: string
  readonly label: string
  readonly marketCount: number
  readonly volume24hUsd: Num
  readonly openInterestUsd: Num
  readonly depthUsd: Num
  readonly medianSpread: Num
  readonly liquidityScore: Level
  readonly change24hPct: Num
  readonly topMarkets: readonly MarketRef[]
}
export interface LiquidityList {
  readonly themes: readonly ThemeLiquidity[]
  readonly generatedAt: Iso
}

export interface Calendar {
  readonly from: Iso
  readonly to: Iso
  readonly events: readonly Catalyst[]
  readonly count: number
  readonly generatedAt: Iso
}

export interface BriefingSection {
  readonly key: string
  readonly title: string
  readonly lines: readonly string[]
  readonly items: readonly MarketRef[]
}
export interface Briefing {
  readonly topic: string | null
  readonly window: string
  readonly from: Iso
  readonly to: Iso
  readonly headline: string
  readonly sections: readonly BriefingSection[]
  readonly movers: readonly Mover[]
  readonly markdown: string
  readonly generatedBy: 'model' | 'template'
  readonly generatedAt: Iso
}

export interface AnswerMarket {
  readonly ticker: string
  readonly title: string
  readonly price: Cents
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly volume24h: Num
  readonly closeTime: Iso | null
}
export interface AnswerText {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly slug: string | null
  readonly excerpt: string
  readonly publishedAt: Iso | null
}
export interface QueryAnswer {
  readonly query: string
  readonly contextSuggestion: string | null
  readonly answer?: string
  readonly keyFactors: readonly string[]
  readonly venue_a?: readonly AnswerMarket[]
  readonly venue_b?: readonly AnswerMarket[]
  readonly content?: readonly AnswerText[]
  readonly meta: {
    readonly sources: readonly string[]
    readonly ts: Iso
    readonly model: string | null
    readonly synthesis: 'model' | 'template' | 'none'
    readonly unavailable: readonly string[]
  }
}
