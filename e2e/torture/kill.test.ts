import { describe, expect, it } from 'vitest'
import { kill } from './kill.ts'

describe('kill -9 while batches are written', () => {
  it('loses no acknowledged batch and keeps no partial one', async () => {
    const figures = await kill.run({ rounds: 4, seed: 7, log: () => {} })
    const value = (name: string) => figures.find((figure) => figure.name === name)?.value
    expect(value('acknowledged batches lost')).toBe(0)
    expect(value('half batches')).toBe(0)
    expect(value('taken for damage')).toBe(0)
    expect(value('kills after an acknowledged batch')).toBeGreaterThan(0)
  })
})
