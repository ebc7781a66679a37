import { expect, it } from 'vitest'
import { socketAbuse } from './socket-abuse.ts'

it('enforces every limit of the socket against abuse while a healthy client is unaffected', async () => {
  const figures = await socketAbuse.run({ rounds: 1, seed: 1, log: () => {} })
  expect(figures.filter(({ met }) => met !== true)).toEqual([])
  expect(figures.length).toBeGreaterThan(10)
})
