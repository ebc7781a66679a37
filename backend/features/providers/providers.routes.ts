import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { documentedBody } from '../../http/request/body.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Provider, ProviderAccess, ProviderName } from '../../contract/operations.ts'
import type { Providers } from './providers.service.ts'

/** Access to external providers, for administrators; stored secrets are never returned. */
export const providersRoutes = (providers: Providers) =>
  new Elysia({ prefix: '/api/admin/providers', tags: ['operations'], adapter })
    .use(routePolicies)
    .get('/:name', ({ params }) => providers.get(params.name), {
      params: ProviderName,
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 401, 403, 404, 429),
      detail: {
        operationId: 'providers.get',
        summary: 'Whether a provider is configured, and its source',
      },
    })
    .put('/:name', ({ params, body }) => providers.put(params.name, body), {
      params: ProviderName,
      body: documentedBody(ProviderAccess),
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 400, 401, 403, 404, 429),
      detail: {
        operationId: 'providers.put',
        summary:
          'Replaces the stored provider settings and applies them at once, unless the environment sets them',
      },
    })
    .delete('/:name', ({ params }) => providers.remove(params.name), {
      params: ProviderName,
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 401, 403, 404, 429),
      detail: { operationId: 'providers.delete', summary: 'Deletes the stored provider settings' },
    })
