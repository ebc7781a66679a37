/** Why the body of a panel is refused, in the order in which it is looked at; contract/accounts.md 6.4. */
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
/** Why a run did not end, and may in a moment. */
export const RUN_PUT_OFF = ['panel_execution_busy', 'panel_execution_timeout', 'not_ready'] as const

/** Every reason that a route of market watch may give. */
export type PanelReason =
  | (typeof SPEC_REASONS | typeof CAP_REASONS | typeof RUN_PUT_OFF)[number]
  | typeof UNKNOWN_PANEL
  | typeof COOLDOWN
  | typeof RUN_FAILED
  | 'not_authenticated'
  | 'not_admin'
