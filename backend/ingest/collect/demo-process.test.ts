import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { silentLogger } from '../../lib/logger.ts'
import { startDemo, type DemoProcess } from './demo-process.ts'

describe('the demo process', () => {
  let demo: DemoProcess
  beforeAll(async () => {
    demo = await startDemo({
      seed: 3,
      markets: 40,
      clock: systemClock,
      log: silentLogger,
    })
  })
  afterAll(() => demo.close())

  const firstTicker = async (): Promise<string> => {
    const response = await fetch(`${demo.venueA.baseUrl}/markets?limit=1`)
    const { markets } = (await response.json()) as { markets: { ticker: string }[] }
    return markets[0]?.ticker ?? ''
  }

  it('is restarted at the same addresses when it was killed', async () => {
    const before = await firstTicker()
    expect(before).not.toBe('')
    process.kill(demo.pid(), 'SIGKILL')
    await vi.waitFor(() => expect(firstTicker()).rejects.toThrow(), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await firstTicker()).toBe(before), {
      timeout: 150_000,
      interval: 200,
    })
  })
})
