import type { Cents, Iso, MarketRef, MarketRow, Num, Venue } from './types.ts'

/** Bodies of the reference routes that the page uses, as the contract states them. */
export interface FlowPoint {
  readonly at: Iso
  readonly bid: Cents
  readonly ask: Cents
  readonly mid: Cents
  readonly spreadCents: Cents
  readonly bidDepthUsd: Num
  readonly askDepthUsd: Num
  /** −1 to 1, more bids above 0. */
  readonly imbalance: Num
  readonly trades: number
  readonly buyVolume: number
  readonly sellVolume: number
  /** −1 to 1, more bought above 0. */
  readonly flowImbalance: Num
}
export interface FlowHistory {
  readonly ticker: string
  readonly venue: Venue
  readonly days: number
  readonly points: readonly FlowPoint[]
  readonly stepSeconds: number
}

export interface ScreenRow extends MarketRow {
  readonly indicators: {
    readonly iy: Num
    readonly cri: Num
    readonly ee: Num
    readonly las: Num
    readonly overround: Num
    readonly tau: Num
  }
  readonly regimeLabel: 'maker' | 'taker' | 'neutral' | null
}
export interface ScreenPage {
  readonly markets: readonly ScreenRow[]
  readonly total: number
  readonly hasMore: boolean
  readonly generatedAt: Iso
}

export interface TechnicalRow {
  readonly slug: string
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: Cents
  readonly trend: 'up' | 'down' | 'flat'
  /** Cents a day. */
  readonly momentum: Num
  readonly rv: Num
  readonly volumeZ: Num
  readonly breakout: 'up' | 'down' | null
  /** 0 to 1. */
  readonly strength: number
  readonly summary: string
  readonly asOf: Iso
}
export interface TechnicalList {
  readonly technicals: readonly TechnicalRow[]
  readonly total: number
}
export interface TechnicalPage extends TechnicalRow {
  readonly levels: readonly {
    readonly price: number
    readonly kind: 'support' | 'resistance'
    readonly touches: number
  }[]
  readonly series: readonly { readonly date: string; readonly price: Cents; readonly volume: Num }[]
  readonly note: string
}

export interface OpinionRow {
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly generatedBy: 'editor' | 'model' | 'rule'
  readonly stance: 'yes' | 'no' | 'neutral'
  readonly summary: string
  readonly tickers: readonly string[]
  readonly topics: readonly string[]
  readonly publishedAt: Iso
}
export interface OpinionList {
  readonly opinions: readonly OpinionRow[]
  readonly total: number
}
export interface OpinionPage extends OpinionRow {
  /** Markdown. */
  readonly body: string
  readonly markets: readonly MarketRef[]
}

export interface FeedItem {
  readonly id: string
  readonly kind: 'market' | 'thesis' | 'idea' | 'opinion' | 'legislation'
  readonly at: Iso
  readonly title: string
  readonly summary: string
  readonly ticker: string | null
  readonly price: Cents
  readonly delta: Num
}
export interface TopicFeed {
  readonly topic: string
  readonly label: string
  readonly since: Iso
  readonly items: readonly FeedItem[]
}

export interface GuideIntent {
  readonly slug: string
  readonly title: string
  readonly summary: string
}
export interface GuideStep {
  readonly order: number
  readonly title: string
  readonly tool: string
  readonly method: string
  readonly url: string
  readonly why: string
}
export interface Guide {
  readonly intent: GuideIntent | null
  readonly intents: readonly GuideIntent[]
  readonly steps: readonly GuideStep[]
  readonly skills: readonly string[]
}

export interface Skill {
  readonly slug: string
  readonly name: string
  readonly trigger: string
  readonly description: string
  readonly category: string
  readonly estimatedTime: string
  readonly prompt: string
  readonly toolsUsed: readonly string[]
}
export interface SkillList {
  readonly skills: readonly Skill[]
}

export interface Perspective {
  readonly role: string
  readonly stance: 'yes' | 'no' | 'uncertain'
  readonly argument: string
  readonly evidence: readonly string[]
}
export interface Discussion {
  readonly question: string
  readonly perspectives: readonly Perspective[]
  readonly synthesis: string
  readonly disagreements: readonly string[]
  readonly markets: readonly MarketRef[]
  readonly meta: {
    readonly model: string | null
    readonly synthesis: 'model' | 'template'
    readonly latencyMs: number
  }
}
