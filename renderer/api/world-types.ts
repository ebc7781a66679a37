import type { Cents, Iso, MarketRow, MarketRef, Num, Venue } from './types.ts'

/** Bodies of the world, its gauges and the regimes, as the contract states them. */
export interface Gauges {
  readonly disagreement: Num
  readonly geoRisk: Num
  readonly breadth: Num
  readonly activity: Num
}
export type GaugeName = keyof Gauges

export type WorldOp = 'snapshot' | 'history' | 'catalyst' | 'dispersion' | 'trail' | 'explain'

export interface Region {
  readonly path: readonly string[]
  readonly label: string
  readonly parentUrl: string | null
}
export interface RegionNode {
  readonly name: string
  readonly label: string
  readonly teaser: string
  readonly marketCount: number
  readonly salientCount: number
}
/** A thread of an item: the next call, as an address of the service. */
export interface Pull {
  readonly op: WorldOp
  readonly label: string
  readonly url: string
  readonly structured: { readonly op: string; readonly target?: string }
}
export type SalientType =
  'regime_shift' | 'divergence' | 'resolving_soon' | 'residual' | 'novel' | 'consensus_break'
export interface SalientItem {
  readonly id: string
  readonly rank: number
  readonly type: SalientType
  readonly label: string
  readonly body: Readonly<Record<string, unknown>>
  readonly score: number
  readonly pull: readonly Pull[]
}

/** What each operation on a region begins with. */
export interface WorldHead {
  readonly asOf: Iso
  readonly sinceBaseline: Iso
  readonly baselineReason: string
  readonly region: Region
  readonly regime: { readonly label: string; readonly signals: Gauges }
}
export interface Mover extends MarketRef {
  readonly delta: number
  readonly from: Cents
  readonly volume24h: Num
  readonly volumeZ: Num
}
export interface WorldSnapshot extends WorldHead {
  readonly salient: readonly SalientItem[]
  readonly childRegions?: readonly RegionNode[]
  readonly index: Gauges & {
    readonly value: Num
    readonly delta24h: Num
    readonly components: Readonly<Record<string, Num>>
  }
  readonly regimeSummary: {
    readonly calm: number
    readonly active: number
    readonly stressed: number
  }
  readonly movers: readonly Mover[]
  readonly marketCount: number
}

export interface GaugePoint extends Gauges {
  readonly at: Iso
  readonly value: Num
  readonly regimeLabel?: string
}
export interface WorldHistory extends WorldHead {
  readonly history: {
    readonly dt: string
    readonly from: Iso
    readonly to: Iso
    readonly stepSeconds: number
    readonly points: readonly GaugePoint[]
  }
}

export interface Catalyst {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly at: Iso
  readonly date: string
  readonly timeKnown: boolean
  readonly category: string
  readonly tickers: readonly string[]
  readonly importance: 'high' | 'medium' | 'low'
  readonly source: string
  readonly market?: MarketRef & { readonly tauDays: Num; readonly volume24h: Num }
}
export interface WorldCatalysts extends WorldHead {
  readonly catalyst: {
    readonly window: string
    readonly from: Iso
    readonly to: Iso
    readonly count: number
    readonly items: readonly Catalyst[]
  }
}

export interface DispersionGroup {
  readonly key: string
  readonly label: string
  readonly kind: 'event' | 'topic'
  readonly marketCount: number
  readonly mean: number
  readonly median: number
  readonly stdev: number
  readonly min: number
  readonly max: number
  readonly consensus: 'tight' | 'mixed' | 'split'
  readonly outliers: readonly (MarketRef & { readonly deviation: number })[]
}
export interface WorldDispersion extends WorldHead {
  readonly dispersion: {
    /** 0 to 1. */
    readonly agreement: Num
    readonly median: Cents
    readonly iqr: Num
    readonly marketCount: number
    readonly groups: readonly DispersionGroup[]
  }
}

export interface TrailNode extends MarketRef {
  readonly hop: number
  readonly via: string
}
export interface TrailLink {
  readonly from: string
  readonly to: string
  readonly kind: 'cross_venue' | 'contagion' | 'series_sibling'
  readonly strength: number
  readonly lagSeconds: Num
  readonly note: string
}
export interface WorldTrail extends WorldHead {
  readonly trail: {
    readonly from: MarketRef
    readonly maxHops: number
    readonly nodes: readonly TrailNode[]
    readonly links: readonly TrailLink[]
  }
}

export interface Hypothesis {
  readonly rank: number
  readonly kind: string
  readonly summary: string
  /** 0 to 1. */
  readonly confidence: number
  readonly evidence: readonly {
    readonly source: string
    readonly title: string
    readonly url: string | null
    readonly at: Iso
  }[]
}
export interface WorldExplanation extends WorldHead {
  readonly explain: {
    readonly item: SalientItem
    readonly hypotheses: readonly Hypothesis[]
    readonly checked: readonly string[]
    readonly unexplained: boolean
  }
}

export interface WorldChange {
  readonly kind: string
  readonly ticker: string | null
  readonly label: string
  readonly before: number | string | null
  readonly after: number | string | null
  readonly at: Iso
}
export interface WorldDelta {
  readonly from: Iso
  readonly to: Iso
  readonly changes: readonly WorldChange[]
  readonly indexDelta: Gauges & { readonly value: Num }
  readonly movers: {
    readonly added: readonly Mover[]
    readonly dropped: readonly { readonly ticker: string; readonly title: string }[]
  }
  readonly resolved: readonly {
    readonly ticker: string
    readonly venue: Venue
    readonly title: string
    readonly result: string
    readonly at: Iso
  }[]
}

export interface IndexAnswer extends Gauges {
  readonly value: Num
  readonly delta24h: Num
  readonly components: Readonly<Record<string, Num>>
  readonly timestamp: Iso
  readonly dataStartDate: string
  readonly dataNote: string | null
}
export interface IndexHistory {
  readonly days: number
  readonly theme: string | null
  readonly stepSeconds: number
  readonly points: readonly GaugePoint[]
}

export type RegimeLabel = 'maker' | 'taker' | 'neutral'
export interface RegimeSignal {
  readonly name: string
  readonly value: number | string | null
  readonly effect: RegimeLabel
  readonly note: string
}
export interface RegimeRow extends MarketRow {
  /** 0 to 1. */
  readonly score: Num
  readonly label: RegimeLabel
  readonly trendLabel: string | null
  readonly signals: {
    readonly spreadCents: Num
    readonly bidDepthUsd: Num
    readonly askDepthUsd: Num
    readonly volume24h: Num
    readonly observability: string
    readonly eventType: string
    readonly asPrior: number
    readonly sfEdgeCents: Num
    readonly sfEdgeDirection: 'yes' | 'no' | null
  }
  readonly breakdown: readonly RegimeSignal[]
  readonly computedAt: Iso
}
/** Everything about one market beyond its quote. */
export interface Dossier {
  readonly ticker: string
  readonly title: string
  readonly suggestion: {
    readonly action: string
    /** 0 to 1. */
    readonly confidence: number
    readonly reasoning: string
    readonly positives: readonly string[]
    readonly warnings: readonly string[]
    readonly sizeHint: string
  }
  readonly regime: {
    readonly label: RegimeLabel
    readonly asScore: Num
    readonly signals: readonly RegimeSignal[]
    readonly computedAt: Iso
    readonly trendLabel: string | null
  }
  readonly indicators: Readonly<Record<string, number | string | boolean | null>>
  readonly edges: readonly {
    readonly thesisTitle: string
    readonly thesisPrice: number
    readonly edge: number
    readonly executableEdge: Num
    readonly direction: 'yes' | 'no'
  }[]
  readonly crossVenue: readonly {
    readonly ticker: string
    readonly venue: Venue
    readonly title: string
    readonly price: Cents
    readonly gap: Num
    /** 0 to 1. */
    readonly confidence: number
    readonly closeDeltaDays: Num
    readonly method: string
    readonly inverted: boolean
  }[]
  readonly contagion?: readonly {
    readonly trigger: MarketRef & { readonly delta: number }
    readonly lagging: MarketRef & { readonly delta: number }
    readonly gap: number
    readonly relation: string
    readonly direction: string
    readonly strength: number
    readonly window: string
  }[]
  readonly asOf: Iso
}

export interface RegimePage {
  readonly markets: readonly RegimeRow[]
  readonly count: number
  readonly total: number
  readonly byLabel: Readonly<Record<RegimeLabel, number>>
  readonly generatedAt: Iso
}

export interface GlossaryRow {
  readonly slug: string
  readonly term: string
  readonly short: string
  readonly category: string
  readonly aliases: readonly string[]
}
export interface GlossaryTerm extends GlossaryRow {
  /** Markdown. */
  readonly body: string
  readonly formula: string | null
  readonly seeAlso: readonly string[]
  readonly fields: readonly string[]
}
