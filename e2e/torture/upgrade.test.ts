import { describe, expect, it } from 'vitest'
import { upgrade } from './upgrade.ts'

describe('data folders of other versions', () => {
  it('are migrated completely or refused unchanged, killed migrations included', async () => {
    const lines: string[] = []
    const figures = await upgrade.run({ rounds: 4, seed: 3, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(figures.filter(({ met }) => met === false)).toEqual([])
  })
})
