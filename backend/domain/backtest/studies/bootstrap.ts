import { quantileOf, type Interval } from '../../statistics/statistics.ts'
import { seededRandom } from '../seeded.ts'

/** Settings of intervals by resampling (methodology L3). */
export const BOOTSTRAP = { draws: 2_000, meanBlockDays: 5, minDays: 20, minEvents: 20 } as const

const [LOWER, UPPER] = [0.025, 0.975]
/** There is no interval when a smaller share of the draws has a value. */
const MIN_SHARE = 0.5

/**
 * Fills `indices` with a draw of the stationary bootstrap (Politis and Romano 1994) from as many
 * rows: blocks that start anywhere, wrap around at the end, and are `meanBlock` long on average. A
 * mean block of 1 draws each row independently.
 */
export function drawIndices(indices: Int32Array, meanBlock: number, random: () => number): void {
  const count = indices.length
  const startsOver = 1 / meanBlock
  let index = 0
  for (let i = 0; i < count; i++) {
    const isNew = i === 0 || random() < startsOver
    index = isNew ? Math.floor(random() * count) : (index + 1) % count
    indices[i] = index
  }
}

/**
 * Percentile intervals of 95 % of figures over resampled rows; null for a figure that has a value
 * in fewer than half of the draws.
 * @param figuresOf figures of the rows at these indices; an index occurs as often as it was drawn
 */
export function bootstrapIntervals<Name extends string>(
  rows: number,
  meanBlock: number,
  seed: number,
  figuresOf: (indices: Int32Array) => Readonly<Record<Name, number | null>>,
): Record<Name, Interval | null> {
  const random = seededRandom(seed)
  const indices = new Int32Array(rows)
  const samples = new Map<Name, number[]>()
  for (let drawIndex = 0; drawIndex < BOOTSTRAP.draws; drawIndex++) {
    drawIndices(indices, meanBlock, random)
    for (const [name, value] of Object.entries(figuresOf(indices)) as [Name, number | null][]) {
      const values = samples.get(name) ?? []
      if (value !== null) values.push(value)
      samples.set(name, values)
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, values]) => [name, intervalOf(values)]),
  ) as Record<Name, Interval | null>
}

function intervalOf(values: readonly number[]): Interval | null {
  if (values.length < BOOTSTRAP.draws * MIN_SHARE) return null
  const [low, high] = [quantileOf(values, LOWER), quantileOf(values, UPPER)]
  return low === null || high === null ? null : { low, high }
}
