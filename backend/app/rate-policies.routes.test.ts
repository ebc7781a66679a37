import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  gather,
  nameOf,
  pathOf,
  startWholeService,
  type WholeService,
} from '../testing/whole-service.ts'

/** Liveness probes, which monitors must reach however busy their address is. */
const PROBES = ['GET /api/health', 'GET /healthz', 'GET /readyz', 'GET /status']

let service: WholeService
beforeAll(async () => {
  service = await startWholeService(24, 1_000)
})
afterAll(() => service.close())

describe('rate policies', () => {
  // [limits.evasion.everywhere]
  it('are declared by every route; only probes have none', () => {
    const off = service.routes.filter(({ rate }) => rate === 'off').map(nameOf)
    expect(off.sort()).toEqual(PROBES)
  })

  // [limits.evasion.everywhere]
  it('are applied to every route, and to unknown addresses', async () => {
    const unknown = ['/nowhere', '/api/nowhere', '/v1/nowhere', '/docs/nowhere.css', '/%zz']
    const requests = [
      ...service.routes
        .filter((route) => !PROBES.includes(nameOf(route)))
        .map((route) => ({ method: route.method, path: pathOf(route, () => 'none') })),
      ...unknown.map((path) => ({ method: 'GET', path })),
    ]
    expect(requests.length).toBeGreaterThan(100)
    const uncounted = await gather(requests, async ({ method, path }) => {
      service.nextMinute()
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
      const { status, headers } = await service.ask(path, { method, ...body })
      // Origin checks come before the limits: they cost nothing and reveal nothing.
      if (headers['x-ratelimit-limit'] !== undefined || status === 403) return []
      return [`${method} ${path} ${status}`]
    })
    expect(uncounted).toEqual([])
  })
})
