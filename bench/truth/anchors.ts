import { stableAnchors } from '../../backend/domain/world/world-lists.ts'
import { sampleSd } from '../../backend/domain/statistics/statistics.ts'
import { DAY } from '../../backend/domain/units.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

const ADDRESSES = { baseUrl: '', appUrl: '' }
const DAYS = 7
/** Standard deviation of the daily chances, in cents, up to which an opinion counts as unchanged. */
const UNCHANGED = 1.5

/**
 * Stable anchors, against the daily chances of the week behind their prices. A list is recalled when
 * it has an entry, since every world has a much traded event of unchanged opinion.
 */
export function scoreAnchors({ at, worldSnapshot, marketOf }: SampleMoment): Score {
  const found = stableAnchors(worldSnapshot.world.markets, ADDRESSES)
  const right = found.filter(({ ticker }) => {
    const { chance } = marketOf(ticker)
    const daily = Array.from({ length: DAYS + 1 }, (_, day) => 100 * chance(at - day * DAY))
    return (sampleSd(daily) ?? Infinity) <= UNCHANGED
  })
  const recalled = right.length > 0 ? 1 : 0
  return { right: right.length, found: found.length, recalled, expected: 1 }
}
