import { LIQUIDITY_WEIGHTS, type LiquidityScore } from '../../liquidity/liquidity.ts'
import { DAY } from '../../units.ts'
import type { Cents, Millis } from '../../units.ts'
import { largest } from '../top-rows.ts'

/** A dated event ahead, with the market that it decides if one is linked. */
export interface CatalystEntry {
  readonly id: string
  readonly at: Millis
  readonly importance: 'high' | 'medium' | 'low'
  /** Mark of the most contested linked market; null for none. */
  readonly mark: Cents | null
  readonly liquidity: LiquidityScore
}

const IMPORTANCE = ['high', 'medium', 'low'] as const

/** Weight of an entry by how much it may decide and how soon: mark 50, liquid, in a day: .5. */
export function catalystWeight(
  entry: Pick<CatalystEntry, 'mark' | 'liquidity'>,
  days: number,
): number {
  if (entry.mark === null) return 0
  const chance = entry.mark / 100
  return (4 * chance * (1 - chance) * LIQUIDITY_WEIGHTS[entry.liquidity]) / (1 + days)
}

/** Soonest first; at equal times more important ones first. */
export function compareCalendarEntries(
  a: Pick<CatalystEntry, 'id' | 'at' | 'importance'>,
  b: Pick<CatalystEntry, 'id' | 'at' | 'importance'>,
): number {
  const byRank = IMPORTANCE.indexOf(a.importance) - IMPORTANCE.indexOf(b.importance)
  return a.at - b.at || byRank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/**
 * Entries in (at, at + window], soonest first; at equal times more important ones first. Above the
 * limit the entries with the highest weight are kept. Methodology C8.
 */
export function selectCatalysts<Entry extends CatalystEntry>(
  entries: readonly Entry[],
  at: Millis,
  window: Millis,
  limit: number,
): Entry[] {
  const upcomingEntries = entries.filter((entry) => entry.at > at && entry.at <= at + window)
  const selectedEntries = largest(
    upcomingEntries,
    limit,
    (entry) => catalystWeight(entry, (entry.at - at) / DAY),
    ({ id }) => id,
  )
  return selectedEntries.toSorted(compareCalendarEntries)
}
