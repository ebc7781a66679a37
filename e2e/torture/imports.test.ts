import { describe, expect, it } from 'vitest'
import { imports } from './imports.ts'

describe('consecutive and concurrent imports', () => {
  it('store every acknowledged row exactly once', async () => {
    const figures = await imports.run({ rounds: 12, seed: 1, log: () => {} })
    expect(figures.filter(({ met }) => met === false)).toEqual([])
    expect(figures.find(({ name }) => name === 'imports at once')?.value).toBe(2)
  }, 120_000)
})
