import type { ChangeType } from '../domain/changes/change-type.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/** One event of methodology F6; `at` is the time at which it became true. */
export interface ChangeRow {
  readonly id: string
  readonly market: MarketId
  readonly type: ChangeType
  readonly at: Millis
  readonly before: number | string | null
  readonly after: number | string | null
  readonly delta: number | null
  /** When it was derived, if later than `at`: it is known only from then on. */
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
