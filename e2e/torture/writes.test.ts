import { describe, expect, it } from 'vitest'
import { writes } from './writes.ts'

describe('kill -9 of the service during writes', () => {
  it('loses and duplicates no acknowledged row', async () => {
    const lines: string[] = []
    const figures = await writes.run({ rounds: 4, seed: 3, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(figures.filter(({ met }) => met === false)).toEqual([])
  }, 240_000)
})
