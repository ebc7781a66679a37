import { describe, expect, it } from 'vitest'
import { importsKilled } from './imports-killed.ts'

describe('kills during imports', () => {
  it('lose no row, duplicate none, and the imports complete by themselves', async () => {
    const figures = await importsKilled.run({ rounds: 4, seed: 1, log: () => {} })
    expect(figures.filter(({ met }) => met === false)).toEqual([])
    expect(figures.find(({ name }) => name === 'imports')?.value).toBeGreaterThanOrEqual(9)
  }, 180_000)
})
