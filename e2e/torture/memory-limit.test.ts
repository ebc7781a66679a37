import { expect, it } from 'vitest'
import { exceedMemory } from './memory-limit.ts'

it('refuses what its engine has no memory for, and answers on', async () => {
  const figures = await exceedMemory({ rounds: 3, say: () => {}, markets: 4, rows: 600_000 })
  expect(figures.filter(({ met }) => met === false)).toEqual([])
}, 180_000)
