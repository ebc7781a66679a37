import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { econSurprise } from '../econ-surprise.ts'
import { bucketMean, ladderDistribution, pooledFalling } from './ladder-distribution.ts'
import type { LadderRung } from './ladder-distribution.ts'
import { sumOf } from '../statistics/statistics.ts'

const rung = (strike: number, chance: number | null, weight = 1): LadderRung => ({
  strike,
  chance,
  weight,
})
const chances = (rungs: LadderRung[]) =>
  ladderDistribution(rungs)?.buckets.map(({ chance }) => Number(chance.toFixed(6)))

describe('M: distribution from a ladder', () => {
  it('has the worked example', () => {
    const ladder = [rung(2, 0.8), rung(3, 0.5), rung(4, 0.1)]
    expect(chances(ladder)).toEqual([0.2, 0.3, 0.4, 0.1])
    const { buckets, median, mean } = ladderDistribution(ladder) ?? {}
    expect(buckets?.map(({ from, to }) => [from, to])).toEqual([
      [null, 2],
      [2, 3],
      [3, 4],
      [4, null],
    ])
    expect(median).toBeCloseTo(3, 12)
    // Tails are 1 to 2 and 4 to 5: 1.5 × .2 + 2.5 × .3 + 3.5 × .4 + 4.5 × .1.
    expect(mean).toBeCloseTo(2.9, 12)
  })
  it('interpolates the median, in a tail too', () => {
    expect(ladderDistribution([rung(2, 0.8), rung(3, 0.4)])?.median).toBeCloseTo(2.75, 12)
    expect(ladderDistribution([rung(2, 0.25), rung(4, 0.1)])?.median).toBeCloseTo(4 / 3, 12)
    expect(ladderDistribution([rung(2, 0.9), rung(4, 0.8)])?.median).toBeCloseTo(4.75, 12)
  })
  it('pools violators by weight', () => {
    expect(pooledFalling([0.8, 0.4, 0.7], [1, 1, 2])).toEqual(
      [0.8, 0.6, 0.6].map((x) => expect.closeTo(x, 12)),
    )
    expect(pooledFalling([0.2, 0.4, 0.6], [1, 1, 1])).toEqual(
      [0.4, 0.4, 0.4].map((x) => expect.closeTo(x, 12)),
    )
    expect(pooledFalling([0.2, 0.4], [0, 0])).toEqual([0.3, 0.3].map((x) => expect.closeTo(x, 12)))
    expect(pooledFalling([], [])).toEqual([])
  })
  it('leaves out unknown rungs and is null without any', () => {
    expect(chances([rung(2, 0.8), rung(3, null), rung(4, 0.1)])).toEqual([0.2, 0.7, 0.1])
    expect(ladderDistribution([rung(2, null)])).toBeNull()
    expect(ladderDistribution([])).toBeNull()
  })
  it('has no mean or median from a single strike, which has no width', () => {
    expect(ladderDistribution([rung(2, 0.6)])).toEqual({
      buckets: [
        { from: null, to: 2, chance: 0.4 },
        { from: 2, to: null, chance: 0.6 },
      ],
      mean: null,
      median: null,
    })
  })
  const ladders = fc.array(
    fc.record({
      strike: fc.integer({ min: -20, max: 20 }),
      chance: fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100),
      weight: fc.constantFrom(1, 0.7, 0.4),
    }),
    { minLength: 2 },
  )
  it('has probabilities that sum to 1, and a median inside', () => {
    fc.assert(
      fc.property(ladders, (ladder) => {
        const { buckets, mean, median } = ladderDistribution(ladder) ?? { buckets: [] }
        expect(sumOf(buckets.map(({ chance }) => chance))).toBeCloseTo(1, 9)
        for (const { chance } of buckets) expect(chance).toBeGreaterThanOrEqual(-1e-12)
        if (new Set(ladder.map(({ strike }) => strike)).size > 1) {
          expect(median).not.toBeNull()
          expect(mean).not.toBeNull()
        }
      }),
    )
  })
  it('does not depend on the order of the rungs', () => {
    fc.assert(
      fc.property(ladders, (ladder) => {
        expect(ladderDistribution(ladder.toReversed())).toEqual(ladderDistribution(ladder))
      }),
    )
  })
  it('pooling decreases, keeps the weighted sum and leaves a decreasing list unchanged', () => {
    const cents = fc.integer({ min: 0, max: 100 })
    fc.assert(
      fc.property(fc.array(fc.tuple(cents, fc.integer({ min: 1, max: 9 }))), (pairs) => {
        const values = pairs.map(([value]) => value)
        const weights = pairs.map(([, weight]) => weight)
        const pooled = pooledFalling(values, weights)
        const whole = (xs: number[]) => sumOf(xs.map((x, i) => x * (weights[i] ?? 0)))
        expect(whole(pooled)).toBeCloseTo(whole(values), 6)
        expect(pooled).toEqual(pooled.toSorted((a, b) => b - a))
        const falling = values.toSorted((a, b) => b - a)
        expect(pooledFalling(falling, weights)).toEqual(falling)
      }),
    )
  })
})

describe('M: econ surprise', () => {
  const past = [1, -1, 1, -1, 1, -1, 1, -1]
  const sd = Math.sqrt(8 / 7)
  it('is the surprise over the deviation of past surprises', () => {
    const release = { actual: 3.2, consensus: 3, impliedMean: 9 }
    const { surprise, expected, basis } = econSurprise(release, past)
    expect(surprise).toBeCloseTo(0.2 / sd, 12)
    expect([expected, basis]).toEqual([3, 'consensus'])
  })
  it('uses the market’s mean without a consensus', () => {
    const impliedMean = bucketMean([
      { from: null, to: 2, chance: 20 },
      { from: 2, to: 3, chance: 60 },
      { from: 3, to: null, chance: 20 },
    ])
    expect(econSurprise({ actual: 4.5, consensus: null, impliedMean }, past)).toMatchObject({
      surprise: expect.closeTo(2 / sd, 12) as number,
      basis: 'market',
    })
  })
  it('is unknown before the release, without expectation, or with a short past', () => {
    const known = { actual: 3, consensus: 2, impliedMean: null }
    expect(econSurprise({ ...known, actual: null }, past).surprise).toBeNull()
    expect(econSurprise({ ...known, consensus: null }, past)).toEqual({
      surprise: null,
      expected: null,
      basis: null,
    })
    expect(econSurprise(known, [...past.slice(1), null]).surprise).toBeNull()
    expect(econSurprise(known, Array<number>(8).fill(1)).surprise).toBeNull()
  })
  it('has no mean of buckets that are not all known', () => {
    expect(bucketMean([{ from: 1, to: 2, chance: null }])).toBeNull()
    expect(bucketMean([{ from: 1, to: 2, chance: 0 }])).toBeNull()
    expect(bucketMean([{ from: null, to: null, chance: 1 }])).toBeNull()
  })
})
