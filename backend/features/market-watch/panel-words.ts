/** The words of a panel's spec; contract/accounts.md 6.1. */
export const PANEL_KINDS = ['preset', 'screen'] as const
export type PanelKind = (typeof PANEL_KINDS)[number]
/** Kinds that a later version of the interface may bring. */
export const DEFERRED_KINDS = ['agentic_query', 'alert_linked', 'external_delivery'] as const

export const PANEL_STATUSES = ['active', 'paused'] as const
export type PanelStatus = (typeof PANEL_STATUSES)[number]

export const PRESET_IDS = [
  'sf_index_24h',
  'liquidity_by_theme',
  'regime_attention',
  'cross_venue_contagion',
  'movers_volume_z',
  'data_health',
  'calendar_catalysts',
  'watchlist_microstructure',
] as const
export type PresetId = (typeof PRESET_IDS)[number]

export const SCREEN_SOURCES = [
  'latest_market_prices',
  'market_regime_snapshots',
  'sf_index_snapshots',
  'liquidity_by_theme',
  'contagion_bundles',
  'watched_objects',
  'alert_rules',
  'public_query',
  'public_context',
] as const
export type ScreenSource = (typeof SCREEN_SOURCES)[number]

export const VISUALIZATIONS = [
  'table',
  'list',
  'stat',
  'gauge',
  'line',
  'bar',
  'sparkline',
] as const
export type Visualization = (typeof VISUALIZATIONS)[number]
export const DEFERRED_VISUALIZATIONS = [
  'heatmap',
  'treemap',
  'scatter',
  'network',
  'candlestick',
  'map',
] as const

export const SCREEN_WINDOWS = ['1h', '6h', '24h', '7d', '30d'] as const
export type ScreenWindow = (typeof SCREEN_WINDOWS)[number]
export const SCHEDULE_MODES = ['manual', 'interval'] as const

/** What each preset and source is called where nobody gave the panel a title. */
export const LABELS: Readonly<Record<PresetId | ScreenSource, string>> = {
  sf_index_24h: 'Index, 24 h',
  liquidity_by_theme: 'Liquidity by theme',
  regime_attention: 'Regime attention',
  cross_venue_contagion: 'Cross-venue contagion',
  movers_volume_z: 'Movers by volume',
  data_health: 'Data health',
  calendar_catalysts: 'Catalysts',
  watchlist_microstructure: 'Watchlist',
  latest_market_prices: 'Latest market prices',
  market_regime_snapshots: 'Market regimes',
  sf_index_snapshots: 'Index snapshots',
  contagion_bundles: 'Contagion',
  watched_objects: 'Watched objects',
  alert_rules: 'Alert rules',
  public_query: 'Query',
  public_context: 'Context',
}
