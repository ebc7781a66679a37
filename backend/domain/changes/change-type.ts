/** Kinds of change events (methodology F6). */
export const CHANGE_TYPES = [
  'price_move',
  'new_market',
  'status_change',
  'resolved',
  'volume_spike',
  'regime_change',
  'spread_change',
  'close_time_change',
] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]
