import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Provider, ProviderName } from './providers.schema.ts'
import type { Providers } from './providers.service.ts'

/** Access to outside providers, for administrators; what is sent is never told again. */
export const providersRoutes = (providers: Providers) =>
  new Elysia({ prefix: '/api/admin/providers', tags: ['operations'], adapter })
    .use(routeWords)
    .get('/:name', ({ params }) => providers.of(params.name), {
      params: ProviderName,
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 401, 403, 404, 429),
      detail: {
        operationId: 'providers.get',
        summary: 'Whether a provider is set up, and by whom',
      },
    })
    .put('/:name', ({ params, body }) => providers.put(params.name, body), {
      params: ProviderName,
      body: t.Any(),
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 400, 401, 403, 404, 429),
      detail: {
        operationId: 'providers.put',
        summary: 'Stores the access whole and uses it at once, unless the environment sets one',
      },
    })
    .delete('/:name', ({ params }) => providers.remove(params.name), {
      params: ProviderName,
      auth: 'admin',
      cache: 'no-store',
      response: answers(Provider, 401, 403, 404, 429),
      detail: { operationId: 'providers.delete', summary: 'Forgets the stored access' },
    })
