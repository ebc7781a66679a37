import type { SourceCadence } from '../../domain/data-age.ts'
import { freshnessOf } from '../../domain/data-age.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { isoOrNull } from '../../http/market-ref.ts'
import type { SourceClock } from './market-watch.schema.ts'
import type { PanelPayload } from './panel-payloads.schema.ts'

/** What the data of a payload are, and when the newest of them was received. */
export interface ContentSource {
  readonly name: string
  /** Null where nothing was read, or nothing is known. */
  readonly asOf: Millis | null
  readonly cadence: SourceCadence
}

/** What a panel shows. */
export interface PanelContent {
  readonly payload: PanelPayload
  readonly source: ContentSource
}

/** The clock of a source as it reads at an instant: an age is told as it is, not as it was. */
export function sourceClockAt({ name, asOf, cadence }: ContentSource, now: Millis): SourceClock {
  return {
    source: name,
    asOf: isoOrNull(asOf),
    ageSeconds: asOf === null ? null : Math.max(0, Math.round((now - asOf) / 1_000)),
    stale: asOf !== null && freshnessOf({ name, cadence, knownAt: asOf }, now) === 'stale',
  }
}

/** The newest of some instants; null where none is known. */
export function newestOf(instants: Iterable<Millis | null>): Millis | null {
  let newest: Millis | null = null
  for (const at of instants) if (at !== null && (newest === null || at > newest)) newest = at
  return newest
}

/** Share of a difference in its sum, -1 to 1; null without a sum. */
export function imbalanceOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null || a + b === 0) return null
  return Math.round(((a - b) / (a + b)) * 10_000) / 10_000
}

/** Dollars traded, the most first, unknown last; equal ones by ticker. */
export const byDollars = (
  a: { readonly volume24hUsd: number | null; readonly facts: { readonly ticker: Ticker } },
  b: { readonly volume24hUsd: number | null; readonly facts: { readonly ticker: Ticker } },
): number =>
  (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1)
