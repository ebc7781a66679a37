import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { Idea, IdeaList, IdeaQuery, IdeasQuery } from '../../contract/edges.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { IdeaService } from './ideas.service.ts'

export const ideaRoutes = (service: IdeaService) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routePolicies)
    .get(
      '/ideas',
      async ({ query, set }) =>
        withLastModified(set, await service.ideas(query), ({ ideas }) =>
          ideas.map(({ createdAt }) => createdAt),
        ),
      {
        query: IdeasQuery,
        auth: 'optional',
        cache: 300,
        response: answers(IdeaList, 400, 429, 503),
        detail: {
          operationId: 'ideas.list',
          summary: 'Trade ideas from prices, highest confidence first',
        },
      },
    )
    .get(
      '/ideas/:id',
      async ({ params, query, set }) =>
        withLastModified(set, await service.idea(params.id, query), ({ createdAt }) => [createdAt]),
      {
        params: t.Object({ id: t.String({ description: 'idea, from the list of ideas' }) }),
        query: IdeaQuery,
        auth: 'optional',
        cache: 300,
        response: answers(Idea, 400, 404, 429, 503),
        detail: { operationId: 'ideas.one', summary: 'One idea, including expired ones' },
      },
    )
