import { describe, expect, it } from 'vitest'
import { corruption } from './corruption.ts'

describe('a changed byte of a stored file', () => {
  it('is detected and repaired, or has no effect: no response is wrong', async () => {
    const lines: string[] = []
    const figures = await corruption.run({ rounds: 5, seed: 11, log: (line) => lines.push(line) })
    const value = (name: string) => figures.find((figure) => figure.name === name)?.value
    expect(lines).toEqual([])
    expect(value('wrong answers')).toBe(0)
    expect(value('stores that did not open')).toBe(0)
    expect(value('found, set aside and repaired')).toBeGreaterThan(2)
  })
})
