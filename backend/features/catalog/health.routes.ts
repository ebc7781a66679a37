import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Health, Status, StatusQuery } from './health.schema.ts'
import type { HealthService } from './health.service.ts'
import { statusPage } from './status-page.ts'

/** The schema as the document takes it: plain JSON Schema. */
const statusSchema: object = Status

/** JSON when asked for by `format`, else when `Accept` names it and not HTML. */
function wantsJson(format: 'html' | 'json' | null, accept: string | null): boolean {
  if (format !== null) return format === 'json'
  return accept !== null && accept.includes('application/json') && !accept.includes('text/html')
}

export const healthRoutes = (service: HealthService) =>
  new Elysia({ tags: ['catalog'], adapter })
    .use(routeWords)
    .get('/api/health', () => service.health(), {
      auth: 'none',
      rate: 'off',
      cache: 'no-store',
      bodies: answers(Health),
      detail: { operationId: 'health.read', summary: 'Whether the service lives' },
    })
    .get(
      '/status',
      ({ query, request, set }) => {
        const status = service.status()
        set.headers['last-modified'] = new Date(status.updatedAt).toUTCString()
        if (wantsJson(query.format, request.headers.get('accept'))) return status
        return new Response(statusPage(status), {
          headers: { 'content-type': 'text/html; charset=utf-8' },
        })
      },
      {
        query: StatusQuery,
        auth: 'none',
        rate: 'off',
        cache: { seconds: 15, byAccept: true },
        detail: {
          operationId: 'status.read',
          summary: 'How the parts of the service are, as a page or as JSON',
          responses: {
            200: {
              description: 'the state of the service',
              content: {
                'application/json': { schema: statusSchema },
                'text/html': { schema: { type: 'string' } },
              },
            },
            400: {
              description: 'format is malformed',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    )
