import { describe, expect, it } from 'vitest'
import { diskFull } from './disk-full.ts'

const isRoot = process.getuid?.() === 0

describe('a full disk', () => {
  it.skipIf(!isRoot)(
    'refuses writes with 503, serves reads and recovers when there is space (skipped without root: a small disk is mounted)',
    async ({ skip }) => {
      const figures = await diskFull.run({ rounds: 1, seed: 1, log: () => {} })
      const value = (name: string) => figures.find((figure) => figure.name === name)?.value
      const why = value('skipped')
      if (why !== undefined) skip(String(why))
      expect(figures.filter(({ met }) => met === false)).toEqual([])
      expect(value('writes refused with 503')).toBeGreaterThan(0)
      expect(value('reads served while full')).toBeGreaterThan(0)
    },
  )
})
