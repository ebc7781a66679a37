import { describe, expect, it } from 'vitest'
import { diskFullService } from './disk-full-service.ts'

const isRoot = process.getuid?.() === 0

describe('the service on a full disk', () => {
  it.skipIf(!isRoot)(
    'answers reads, refuses writes, reports it and recovers when there is space (skipped without root: a small disk is mounted)',
    async ({ skip }) => {
      const figures = await diskFullService.run({ rounds: 1, seed: 1, log: () => {} })
      const value = (name: string) => figures.find((figure) => figure.name === name)?.value
      const why = value('skipped')
      if (why !== undefined) skip(String(why))
      expect(value('reads that failed while full')).toBe(0)
      expect(value('writes refused otherwise')).toBe(0)
      expect(value('rounds that the status page showed')).toBe(1)
      expect(value('disagreements of health, status and doctor')).toBe(0)
      expect(value('writes refused with 503')).toBeGreaterThan(0)
      expect(value('reads answered while full')).toBeGreaterThan(0)
    },
    240_000,
  )
})
