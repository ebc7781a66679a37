import { describe, expect, it } from 'vitest'
import { replayAbort } from './replay-abort.ts'

describe('a log that cannot be replayed', () => {
  it('does not prevent a history from opening and loses nothing silently', async () => {
    const lines: string[] = []
    const figures = await replayAbort.run({ rounds: 5, seed: 5, log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(figures.filter(({ met }) => met === false)).toEqual([])
    expect(figures.find(({ name }) => name === 'boots')?.value).toBe(5)
  })
})
