import { describe, expect, it } from 'vitest'
import { soakFor } from './soak.ts'
import { canWatch, slopeOf } from './soak/process-watch.ts'

describe('a soak test', () => {
  it('measures the slope of a sloped and of a flat series', () => {
    expect(slopeOf([0, 1, 2, 3].map((x) => [x, 5 * x + 7] as const))).toBeCloseTo(5)
    expect(slopeOf([0, 1, 2, 3].map((x) => [x, 7] as const))).toBe(0)
  })

  it.runIf(canWatch)(
    'serves all clients while it is measured, for a few seconds',
    { timeout: 90_000 },
    async () => {
      const figures = await soakFor({ seconds: 12, markets: 100, seed: 1, log: () => {} })
      // Sizes of memory and files are not meaningful within seconds.
      const short = [
        'growth of what memory holds between collections, MB an hour',
        'file descriptors gained',
      ]
      const missed = figures.filter(({ met, name }) => met === false && !short.includes(name))
      expect(missed).toEqual([])
    },
  )
})
