import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { routeWords } from '../../http/words.ts'
import { Liveness, NotReadyYet, Ready } from './readiness.schema.ts'
import type { ReadinessService } from './readiness.service.ts'

/** Whether the process lives, and whether it can answer. @param dataUrl where they are reached */
export const readinessRoutes = (service: ReadinessService, dataUrl: string) =>
  new Elysia({ tags: ['data'], adapter })
    .use(routeWords)
    .get('/healthz', () => ({ status: 'ok' as const }), {
      auth: 'none',
      rate: 'off',
      cache: 'no-store',
      bodies: { 200: Liveness },
      detail: {
        operationId: 'data.live',
        summary: 'Whether the process lives',
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
        bodies: { 200: Ready, 503: NotReadyYet },
        detail: {
          operationId: 'data.ready',
          summary: 'Whether the service can answer, and what it waits for',
          servers: [{ url: dataUrl }],
        },
      },
    )
