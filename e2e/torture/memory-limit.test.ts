import { expect, it } from 'vitest'
import { exceedMemory } from './memory-limit.ts'

it('refuses what exceeds the memory of its engine, and still answers', async () => {
  const figures = await exceedMemory({ rounds: 3, log: () => {}, markets: 4, rows: 600_000 })
  expect(figures.filter(({ met }) => met === false)).toEqual([])
}, 180_000)
