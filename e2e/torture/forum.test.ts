import { expect, it } from 'vitest'
import { forum } from './forum.ts'

it('[forum.poll.concurrent] shows each message to each of 20 pollers once, in order, while 20 users post', async () => {
  const figures = await forum.run({ rounds: 1, seed: 1, log: () => {} })
  expect(figures.filter(({ met }) => met === false)).toEqual([])
})
