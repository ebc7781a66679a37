import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

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
/** One event of methodology F6; `at` is the instant it became true. */
export interface ChangeRow {
  readonly id: string
  readonly market: MarketId
  readonly type: ChangeType
  readonly at: Millis
  readonly before: number | string | null
  readonly after: number | string | null
  readonly delta: number | null
  /** When it was derived, where that was later than `at`: it is known only from then on. */
  readonly knownAt?: Millis
}

export interface ChangesQuery {
  readonly since: Millis
  readonly asOf: Millis
  readonly types: readonly ChangeType[] | null
  readonly markets: readonly MarketId[] | null
  /** Rows strictly after this position in (at desc, id asc) order. */
  readonly after: { readonly at: Millis; readonly id: string } | null
  readonly limit: number
}
