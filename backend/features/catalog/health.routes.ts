import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Health, Status, StatusQuery } from '../../contract/operations.ts'
import type { HealthService } from './health.service.ts'
import { statusPage } from './status-page.ts'

/** Whether to return JSON: by `format`, otherwise if `Accept` names JSON and not HTML. */
function wantsJson(format: 'html' | 'json' | null, accept: string | null): boolean {
  if (format !== null) return format === 'json'
  return accept !== null && accept.includes('application/json') && !accept.includes('text/html')
}

export const healthRoutes = (service: HealthService) =>
  new Elysia({ tags: ['catalog'], adapter })
    .use(routePolicies)
    .get('/api/health', () => service.health(), {
      auth: 'none',
      rate: 'off',
      cache: 'no-store',
      response: answers(Health),
      detail: { operationId: 'health.read', summary: 'Liveness of the service' },
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
        response: answers(orText(Status, 'text/html'), 400),
        detail: {
          operationId: 'status.read',
          summary: 'Status of the components, as a page or as JSON',
        },
      },
    )
