import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpApp } from '../../http/app.ts'
import { listen } from '../../http/server.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { replayRoutes } from './replay.routes.ts'

let bound: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  bound = await listen(createHttpApp({ logger: silentLogger }).use(replayRoutes(null)), {
    host: '127.0.0.1',
    port: 0,
    clock: new FakeClock(),
    logger: silentLogger,
    launchSecret: 'secret',
  })
})
afterAll(() => bound.close(0))

// [replay.routes.elsewhere]
it.each([
  ['GET', '', undefined],
  ['POST', '/pause', undefined],
  ['POST', '/resume', undefined],
  ['POST', '/step', { n: 1 }],
  ['POST', '/step', undefined],
  ['POST', '/seek', { to: '2026-11-20T00:00:00Z' }],
  ['POST', '/speed', { speed: 'max' }],
])('%s /api/replay%s is 404 in a service that is not a replay', async (method, path, body) => {
  const response = await fetch(`${bound.url}/api/replay${path}`, {
    method,
    headers: { ...(method === 'POST' && { authorization: 'Launch secret' }) },
    ...(body !== undefined && {
      headers: { authorization: 'Launch secret', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      error: 'This is not a replay service. Start one with: augury replay --from T',
      code: 'NOT_FOUND',
    },
  ])
})
