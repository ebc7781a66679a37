import { Elysia, t } from 'elysia'
import { onTestFinished } from 'vitest'
import { adapter } from '../http/adapter.ts'
import { createHttpApp } from '../http/app.ts'
import { callerOf } from '../http/auth/auth.ts'
import { listen, type BoundAddress } from '../http/server.ts'
import { routePolicies } from '../http/routes/route-policies.ts'
import { silentLogger, type Logger } from '../lib/logger.ts'
import { marketView } from './builders.ts'
import { FakeClock } from './fake-clock.ts'

/** Stops the server when the current test has ended. */
export function closedAfterTest<T extends Pick<BoundAddress, 'close'>>(served: T): T {
  onTestFinished(() => served.close(0))
  return served
}

/** Enough markets that compressing a list of them pays. */
export const manyMarkets = Array.from({ length: 30 }, (_, index) =>
  marketView({ facts: { ticker: `KXMANY-${index}` } }),
)

/** Test-only routes: one that counts, one for owners, one that fails, one with a body. */
export function probe(clock = new FakeClock(), logger: Logger = silentLogger) {
  let runs = 0
  const app = createHttpApp({ logger }).use(
    new Elysia({ adapter })
      .use(routePolicies)
      .get('/count', () => ({ runs: (runs += 1) }), { cache: 60 })
      .get('/owner', ({ request }) => ({ owner: callerOf(request)?.isAdmin ?? false }), {
        auth: 'owner',
      })
      .get('/mine', () => ({ runs: (runs += 1) }), { auth: 'owner', cache: 60 })
      .get('/none', () => ({ ok: true }), { auth: 'none', cache: 60 })
      .get('/broken', (): object => {
        throw new TypeError('secret detail')
      })
      .post('/echo', ({ body }) => body ?? {}, { body: t.Any() })
      .get('/part/:name', ({ params }) => params)
      .get('/rest/*', ({ params }) => params),
  )
  const serve = (options: Partial<Parameters<typeof listen>[1]> = {}) =>
    listen(app, { host: '127.0.0.1', port: 0, clock, logger, ...options })
  return { clock, runs: () => runs, serve }
}
