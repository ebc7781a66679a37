import { describe, expect, it } from 'vitest'
import { secondOpener } from './second-opener.ts'

describe('a second service on a data folder', () => {
  it('ends with code 3, names the process that holds it, and changes nothing', async () => {
    const lines: string[] = []
    const figures = await secondOpener.run({
      rounds: 2,
      seed: 1,
      log: (line) => lines.push(line),
    })
    expect(lines).toEqual([])
    expect(figures.map(({ value }) => value)).toEqual([2, 2, 2, 2])
  })
})
