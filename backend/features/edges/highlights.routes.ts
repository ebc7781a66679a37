import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Highlights, HighlightsQuery } from './highlights.schema.ts'
import type { HighlightReads } from './highlights.service.ts'

export const highlightRoutes = (reads: HighlightReads) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routeWords)
    .get(
      '/highlights',
      async ({ query, set }) =>
        dated(set, await reads.highlights(query), ({ generatedAt }) => [generatedAt]),
      {
        query: HighlightsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(Highlights, 400, 429, 503),
        detail: { operationId: 'highlights.list', summary: 'The best of each list of the world' },
      },
    )
