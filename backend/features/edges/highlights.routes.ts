import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Highlights, HighlightsQuery } from '../../contract/edges.ts'
import type { HighlightService } from './highlights.service.ts'

export const highlightRoutes = (service: HighlightService) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routePolicies)
    .get(
      '/highlights',
      async ({ query, set }) =>
        withLastModified(set, await service.highlights(query), ({ generatedAt }) => [generatedAt]),
      {
        query: HighlightsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(Highlights, 400, 429, 503),
        detail: {
          operationId: 'highlights.list',
          summary: 'Top entries of each list of the world',
        },
      },
    )
