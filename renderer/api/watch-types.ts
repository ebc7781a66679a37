import type {
  PanelKind,
  PanelStatus,
  PresetId,
  ScreenSource,
  ScreenWindow,
  Visualization,
} from '../../backend/features/market-watch/panel-words.ts'
import type { Tier } from './account-types.ts'
import type { ContagionLink, Pair, ThemeLiquidity } from './context-types.ts'
import type { Cents, Iso, MarketRef, Num } from './types.ts'
import type { Catalyst, GaugePoint, Gauges, Mover } from './world-types.ts'

/** Bodies of market watch, as the contract states them. */
export type { PanelKind, PanelStatus, PresetId, ScreenSource, ScreenWindow, Visualization }

export interface PanelFilters {
  readonly probability?: { readonly min?: number; readonly max?: number }
  readonly window?: ScreenWindow
  readonly tickers?: readonly string[]
}
export interface PanelSpec {
  readonly version: 1
  readonly kind: PanelKind
  readonly title?: string
  readonly preset?: { readonly id: PresetId }
  readonly sources?: readonly ScreenSource[]
  readonly filters?: PanelFilters
  readonly display: { readonly visualization: Visualization }
  readonly schedule?: { readonly mode: 'manual' | 'interval'; readonly cadenceMinutes?: number }
}

export interface IndexPanel {
  readonly kind: 'sf_index_24h'
  readonly current:
    (Gauges & { readonly value: Num; readonly delta24h: Num; readonly at: Iso }) | null
  readonly series: readonly GaugePoint[]
}
/** The screen of the same name has rows instead. */
export interface ThemesPanel {
  readonly kind: 'liquidity_by_theme'
  readonly themes: readonly ThemeLiquidity[]
  readonly totalVolume24hUsd: Num
}
export type RegimeLabel = 'maker' | 'neutral' | 'taker'
export interface RegimePanel {
  readonly kind: 'regime_attention'
  readonly buckets: readonly {
    readonly label: RegimeLabel
    readonly count: number
    readonly volume24hUsd: Num
    readonly meanAsScore: Num
  }[]
  readonly markets: readonly (MarketRef & {
    readonly label: RegimeLabel
    readonly asScore: number
    readonly change24h: Num
    readonly volume24h: Num
    readonly volumeZ: Num
  })[]
  readonly regimeSummary: {
    readonly calm: number
    readonly active: number
    readonly stressed: number
  }
}
export interface ContagionPanel {
  readonly kind: 'cross_venue_contagion'
  readonly window: '6h'
  readonly links: readonly ContagionLink[]
  readonly pairs: readonly Pair[]
}
export interface MoversPanel {
  readonly kind: 'movers_volume_z'
  readonly window: '24h'
  readonly movers: readonly Mover[]
}
export interface HealthPanel {
  readonly kind: 'data_health'
  readonly status: 'operational' | 'degraded' | 'outage'
  readonly sources: readonly {
    readonly source: string
    readonly status: 'ok' | 'late' | 'down' | 'off'
    readonly lastReceivedAt: Iso | null
    readonly ageSeconds: Num
    readonly mode: string
    readonly message: string | null
  }[]
  readonly gaps: readonly {
    readonly source: string
    readonly ticker: string | null
    readonly from: Iso
    readonly to: Iso | null
    readonly state: 'gap' | 'repaired'
  }[]
  readonly ingestPerSecond: Num
}
export interface CatalystsPanel {
  readonly kind: 'calendar_catalysts'
  readonly from: Iso
  readonly to: Iso
  readonly events: readonly Catalyst[]
}
export interface MicroRow extends MarketRef {
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly spread: Cents
  readonly bidDepthUsd: Num
  readonly askDepthUsd: Num
  /** −1 to 1. */
  readonly imbalance: Num
  readonly trades1h: number
  readonly flowImbalance1h: Num
  readonly label: RegimeLabel | null
  readonly asScore: Num
  readonly volume24h: Num
  readonly updatedAt: Iso
}
export interface WatchlistPanel {
  readonly kind: 'watchlist_microstructure'
  readonly markets: readonly MicroRow[]
  readonly missing: readonly string[]
  readonly emptyReason: 'no_watched_markets' | null
}
export interface ScreenRow extends MarketRef {
  /** 0 to 1. */
  readonly probability: Num
  readonly bestBid: Cents
  readonly bestAsk: Cents
  readonly spread: Cents
  /** Cents over the window. */
  readonly change: Num
  readonly volume24h: Num
  readonly closeTime: Iso | null
  readonly updatedAt: Iso
}
export interface ScreenPanel {
  readonly kind: ScreenSource
  readonly rows: readonly ScreenRow[]
  readonly count: number
  readonly total: number
  readonly filters: PanelFilters
  readonly missing: readonly string[]
  readonly emptyReason: 'no_match' | 'source_not_executed' | null
}
export type PanelPayload =
  | IndexPanel
  | ThemesPanel
  | RegimePanel
  | ContagionPanel
  | MoversPanel
  | HealthPanel
  | CatalystsPanel
  | WatchlistPanel
  | ScreenPanel

export interface SourceClock {
  readonly source: string
  /** Receipt of the newest datum. */
  readonly asOf: Iso | null
  readonly ageSeconds: Num
  readonly stale: boolean
}
export interface PanelHead {
  readonly id: string
  readonly title: string
  readonly kind: PanelKind
  readonly status: PanelStatus
  readonly sortIdx: number
  readonly refreshFloorSeconds: number
}
export interface Panel extends PanelHead {
  readonly spec: PanelSpec
  readonly createdAt: Iso
  readonly updatedAt: Iso
  readonly lastRunAt: Iso | null
  readonly lastError: {
    readonly at: Iso
    readonly reason: string
    readonly message: string
  } | null
  readonly nextRunAt: Iso | null
  /** In real time, whatever the clock of the data. */
  readonly cooldownUntil: Iso | null
  readonly payload: PanelPayload | null
  readonly sourceClock: SourceClock | null
  readonly cacheState: 'fresh' | 'stale' | 'miss' | 'bypass'
  readonly executionStatus:
    | 'success-fresh'
    | 'success-stale'
    | 'success-miss'
    | 'success-bypass'
    | 'error-stale'
    | 'error-miss'
    | 'pending'
}
export interface BoardTier {
  readonly panelCap: number
  readonly screenPanelCap: number
  readonly minRefreshSeconds: number
  readonly manualRefreshCooldownSeconds: number
  readonly currentPanelCount: number
  readonly currentScreenPanelCount: number
  readonly name: Tier
}
/** The board of who is signed in; what else the answer holds is not shown here. */
export interface Board {
  readonly panels: readonly Panel[]
  readonly tier: BoardTier
  readonly generatedAt: Iso
}
export interface PanelMade {
  readonly panel: PanelHead
}
