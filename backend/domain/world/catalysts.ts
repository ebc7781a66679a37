import { LIQUIDITY_WEIGHTS, type LiquidityScore } from '../liquidity.ts'
import { DAY } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import { largest } from './largest.ts'

/** A dated thing ahead, with the market whose outcome it decides where one is linked. */
export interface CatalystEntry {
  readonly id: string
  readonly at: Millis
  readonly importance: 'high' | 'medium' | 'low'
  /** Of the most contested linked market; null for none. */
  readonly mark: Cents | null
  readonly liquidity: LiquidityScore
}

const IMPORTANCE = ['high', 'medium', 'low'] as const

/** How much an entry may decide, and how soon: mark 50, liquid, in a day: .5. */
export function catalystWeight(
  entry: Pick<CatalystEntry, 'mark' | 'liquidity'>,
  days: number,
): number {
  if (entry.mark === null) return 0
  const chance = entry.mark / 100
  return (4 * chance * (1 - chance) * LIQUIDITY_WEIGHTS[entry.liquidity]) / (1 + days)
}

/** Soonest first, more important ones first at one time. */
export function inCalendarOrder(
  a: Pick<CatalystEntry, 'id' | 'at' | 'importance'>,
  b: Pick<CatalystEntry, 'id' | 'at' | 'importance'>,
): number {
  const byRank = IMPORTANCE.indexOf(a.importance) - IMPORTANCE.indexOf(b.importance)
  return a.at - b.at || byRank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/**
 * Entries in (at, at + window], soonest first, more important ones first at one time. Above the limit
 * those are kept that decide most soonest. Methodology C8.
 */
export function selectCatalysts<Entry extends CatalystEntry>(
  entries: readonly Entry[],
  at: Millis,
  window: Millis,
  limit: number,
): Entry[] {
  const ahead = entries.filter((entry) => entry.at > at && entry.at <= at + window)
  const kept = largest(
    ahead,
    limit,
    (entry) => catalystWeight(entry, (entry.at - at) / DAY),
    ({ id }) => id,
  )
  return kept.toSorted(inCalendarOrder)
}
