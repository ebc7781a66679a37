import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { json, startScriptServer, type ScriptServer } from '../../testing/script-server.ts'

/** As in the interface document. */
const USAGE = {
  period: '30d',
  from: '2026-10-21T14:00:00.000Z',
  to: '2026-11-20T14:00:00.000Z',
  totals: {
    requests: 12_345,
    errors: 2,
    rateLimited: 1,
    llmCalls: 4,
    inputTokens: 900,
    outputTokens: 120,
    costUsd: 0.0123,
  },
  byDay: [
    { date: '2026-11-18', requests: 100, errors: 0, costUsd: 0 },
    { date: '2026-11-19', requests: 400, errors: 1, costUsd: 0.01 },
    { date: '2026-11-20', requests: 250, errors: 1, costUsd: 0.0023 },
  ],
  byRoute: [{ route: '/api/public/markets', requests: 700, p50Ms: 2.25, p95Ms: null }],
  byKey: [{ keyId: null, name: 'session', requests: 50 }],
  limits: [{ class: 'general', limit: 600, used: 3, resetAt: '2026-11-20T14:01:00.000Z' }],
}

let line: CommandLine
let server: ScriptServer
let answered: object
beforeEach(async () => {
  line = commandLine()
  answered = USAGE
  server = await startScriptServer(() => json(answered))
})
afterEach(async () => {
  await server.close()
  line.remove()
})

describe('augury usage', () => {
  const usage = (columns: number | null, env = {}) =>
    line.run(['usage', '--period', '7d', '--api-url', server.url], { columns, env })

  // [client.cli.usage]
  it('prints totals, days, routes, keys and limits', async () => {
    const { exit, out } = await usage(null)
    expect(exit).toBe(0)
    expect(server.requests[0]?.line).toBe('GET /api/dashboard/usage?period=7d')
    expect(out).toContain('requests: 12,345\nerrors: 2\nrate limited: 1\n')
    expect(out).toContain('cost: $0.0123\n')
    expect(out).toContain('2026-11-19       400       1    $0.01\n')
    expect(out).toContain('/api/public/markets       700       2.25        –\n')
    expect(out).toContain('session        50  –\n')
    expect(out).toContain('general     3  600  2026-11-20 14:01\n')
    expect(out).not.toMatch(/[▁-█]/)
    expect(out).not.toContain('\u001b')
  })

  // [client.cli.terminal-only]
  it('draws usage per day on a terminal, without colours on request', async () => {
    const seen = await usage(100)
    expect(seen.out).toContain('requests by day  ▁█▅')
    expect(seen.out).toContain('\u001b[2mDay\u001b[0m')
    const plain = await usage(100, { NO_COLOR: '1' })
    expect(plain.out).toContain('requests by day  ▁█▅')
    expect(plain.out).not.toContain('\u001b')
  })

  it('draws no course of fewer than two days, and leaves out empty tables', async () => {
    const [first, second] = USAGE.byDay
    answered = { ...USAGE, byDay: [first, second] }
    expect((await usage(100, { NO_COLOR: '1' })).out).toContain('requests by day  ▁█\n')
    answered = { ...USAGE, byDay: [first] }
    expect((await usage(100)).out).not.toContain('requests by day')
    answered = { ...USAGE, byDay: [], byRoute: [], byKey: [], limits: [] }
    const { out } = await usage(null)
    expect(out.trimEnd().split('\n')).toHaveLength(9)
    expect(out).not.toMatch(/day|route|key|class/i)
  })
})
