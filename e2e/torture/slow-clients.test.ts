import { Elysia } from 'elysia'
import { node } from '@elysiajs/node'
import { afterEach, describe, expect, it } from 'vitest'
import { bind, type BoundAddress } from '../../backend/http/server.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { latencies } from './slow-clients/latency.ts'
import { openSlowSockets } from './slow-clients/slow-sockets.ts'

let bound: BoundAddress | null = null
afterEach(async () => {
  await bound?.close(0)
  bound = null
})

describe('slow clients', () => {
  it('are disconnected after their timeout, while others are served', async () => {
    const app = new Elysia({ adapter: node() }).get('/api/health', () => ({ ok: true }))
    bound = await bind({ host: '127.0.0.1', port: 0 })
    bound.serve(app, { clock: systemClock, logger: silentLogger, fairUse: 'off' })
    expect(bound.server.headersTimeout).toBe(10_000)
    expect(bound.server.requestTimeout).toBe(30_000)
    // The same procedure in less time.
    bound.server.headersTimeout = 1_000
    bound.server.requestTimeout = 2_000
    const slow = await openSlowSockets(bound.port, 200)
    expect(slow.open()).toBeGreaterThan(100)
    const spans = await latencies(`${bound.url}/api/health`, 50)
    expect(spans.every(Number.isFinite)).toBe(true)
    const { open, took } = await slow.untilReleased(15_000)
    slow.close()
    expect(open).toBe(0)
    expect(took).toBeLessThan(15_000)
  })
})
