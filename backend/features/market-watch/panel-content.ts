import { DATA_AGE_PARAMS, freshnessOf, type SourceCadence } from '../../domain/data-age.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import type { SourceClock } from '../../contract/panels/panels.ts'
import type { PanelPayload } from '../../contract/panels/panel-payloads.ts'

/** A data source of a payload, and when its newest data was received. */
export interface ContentSource {
  readonly name: string
  /** Null if nothing was read or nothing is known. */
  readonly asOf: Millis | null
  readonly cadence: SourceCadence
}

/** Content of a panel. */
export interface PanelContent {
  readonly payload: PanelPayload
  readonly source: ContentSource
}

/** The clock of a source at an instant; its age is computed at that instant. */
export function sourceClockAt({ name, asOf, cadence }: ContentSource, now: Millis): SourceClock {
  return {
    source: name,
    asOf: isoOrNull(asOf),
    ageSeconds: asOf === null ? null : Math.max(0, Math.round((now - asOf) / 1_000)),
    stale: asOf !== null && freshnessOf(now - asOf, DATA_AGE_PARAMS.cadence[cadence]) === 'stale',
  }
}

/** The latest of some instants; null if none is known. */
export function newestOf(instants: Iterable<Millis | null>): Millis | null {
  let newest: Millis | null = null
  for (const at of instants) if (at !== null && (newest === null || at > newest)) newest = at
  return newest
}

/** By dollar volume descending, unknown last; equal ones by ticker. */
export const byDollars = (
  a: { readonly volume24hUsd: number | null; readonly facts: { readonly ticker: Ticker } },
  b: { readonly volume24hUsd: number | null; readonly facts: { readonly ticker: Ticker } },
): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1)
