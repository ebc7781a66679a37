import { describe, expect, it } from 'vitest'
import { damage } from './damage.ts'

describe('a stored file that is emptied, removed, truncated, changed or older', () => {
  it('is repaired or reported', async () => {
    const lines: string[] = []
    const figures = await damage.run({ rounds: 6, seed: 5, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(figures.filter(({ met }) => met === false)).toEqual([])
  }, 120_000)
})
