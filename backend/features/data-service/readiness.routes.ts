import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { responses } from '../../contract/schemas.ts'
import { Liveness, NotReadyYet, Ready } from '../../contract/operations.ts'
import type { ReadinessService } from './readiness.service.ts'

/** Liveness and readiness. @param dataUrl address of the routes */
export const readinessRoutes = (service: ReadinessService, dataUrl: string) =>
  new Elysia({ tags: ['data'], adapter })
    .use(routePolicies)
    .get('/healthz', () => ({ status: 'ok' as const }), {
      auth: 'none',
      rate: 'off',
      cache: 'no-store',
      response: responses({ 200: Liveness }),
      detail: {
        operationId: 'data.live',
        summary: 'Liveness of the process',
        servers: [{ url: dataUrl }],
      },
    })
    .get(
      '/readyz',
      async ({ set }) => {
        const readiness = await service.readiness()
        if (readiness.status === 'not_ready') {
          set.status = 503
          set.headers['retry-after'] = '5'
        }
        return readiness
      },
      {
        auth: 'none',
        rate: 'off',
        cache: 'no-store',
        response: responses({ 200: Ready, 503: NotReadyYet }),
        detail: {
          operationId: 'data.ready',
          summary: 'Readiness of the service, and what it waits for',
          servers: [{ url: dataUrl }],
        },
      },
    )
