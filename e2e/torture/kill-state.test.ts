import { describe, expect, it } from 'vitest'
import { killState } from './kill-state.ts'

describe('kill -9 while operational rows are written', () => {
  it('loses no acknowledged row and is not reported as damage', async () => {
    const lines: string[] = []
    const figures = await killState.run({ rounds: 5, seed: 3, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(figures.filter(({ met }) => met === false)).toEqual([])
  }, 120_000)
})
