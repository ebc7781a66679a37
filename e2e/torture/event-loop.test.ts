import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { watchLoop } from './event-loop.ts'
import { delayOf, startWatched } from './event-loop/loop-watch.ts'

describe('event loop monitoring', () => {
  it('detects a blocked loop', async () => {
    const block = 'const end = performance.now() + 300; while (performance.now() < end);'
    const watched = startWatched(`setInterval(() => { ${block} }, 100)`)
    try {
      let worst = 0
      while (worst < 250) {
        // Each measurement starts over: a request right after another has measured nothing.
        await sleep(500)
        worst = Math.max(worst, (await delayOf(watched.line)).max)
      }
      expect(worst).toBeGreaterThanOrEqual(250)
    } finally {
      await watched.stop()
    }
  })
})

describe('the service during heavy work', () => {
  it('is measured, and every job and frame arrives', async () => {
    const scale = { markets: 20, rows: 5_000, idleFor: 200 }
    const figures = await watchLoop({ rounds: 1, seed: 3, log: () => {}, scale })
    // The delay depends on the machine too, so only a whole campaign checks it.
    const others = figures.filter(({ name }) => !name.includes('delay'))
    expect(others.length).toBeGreaterThan(2)
    expect(others.filter(({ met }) => met === false)).toEqual([])
    const p99 = figures.find(({ name }) => name === 'delay beside the work, p99, ms')
    expect(Number(p99?.value)).toBeGreaterThanOrEqual(0)
  }, 400_000)
})
