/** The words of a panel's spec; contract/accounts.md 6.1. */
export const PANEL_KINDS = ['preset', 'screen'] as const
export type PanelKind = (typeof PANEL_KINDS)[number]
/** Kinds reserved for a later version of the interface. */
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

/** Default titles of panels, by preset and source. */
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

/** Why the body of a panel is refused, in order of evaluation; contract/accounts.md 6.4. */
export const SPEC_REASONS = [
  'invalid_json_body',
  'title_invalid',
  'spec_required',
  'version_unsupported',
  'kind_deferred_to_future_spec',
  'kind_unknown',
  'preset_missing',
  'preset_unknown_id',
  'screen_sources_missing',
  'screen_sources_empty',
  'screen_source_unknown',
  'screen_sources_too_many',
  'filters_invalid',
  'filters_probability_out_of_range',
  'filters_window_invalid',
  'filters_tickers_too_many',
  'filters_tickers_invalid',
  'display_missing',
  'display_visualization_deferred_to_future_spec',
  'display_visualization_invalid',
  'schedule_mode_invalid',
  'schedule_cadence_missing',
  'schedule_cadence_below_tier_floor',
  'status_invalid',
  'sort_idx_invalid',
  'order_invalid',
] as const

/** Why a well-formed request about panels is refused. */
export const CAP_REASONS = [
  'market_watch_panel_cap_exceeded',
  'market_watch_screen_panel_cap_exceeded',
] as const
export const UNKNOWN_PANEL = 'panel_not_found_or_not_owned'
export const COOLDOWN = 'panel_refresh_cooldown'
export const RUN_FAILED = 'panel_execution_failed'
/** Reasons of an unfinished run that a retry may finish. */
export const RUN_PUT_OFF = ['panel_execution_busy', 'panel_execution_timeout', 'not_ready'] as const

/** Every reason that a route of market watch may give. */
export type PanelReason =
  | (typeof SPEC_REASONS | typeof CAP_REASONS | typeof RUN_PUT_OFF)[number]
  | typeof UNKNOWN_PANEL
  | typeof COOLDOWN
  | typeof RUN_FAILED
  | 'not_authenticated'
  | 'not_admin'
