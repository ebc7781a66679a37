import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { Idea } from '../../http/idea.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { IdeaList, IdeaQuery, IdeasQuery } from './ideas.schema.ts'
import type { IdeaReads } from './ideas.service.ts'

export const ideaRoutes = (reads: IdeaReads) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routeWords)
    .get(
      '/ideas',
      async ({ query, set }) =>
        dated(set, await reads.ideas(query), ({ ideas }) =>
          ideas.map(({ createdAt }) => createdAt),
        ),
      {
        query: IdeasQuery,
        auth: 'optional',
        cache: 300,
        bodies: answers(IdeaList, 400, 429, 503),
        detail: { operationId: 'ideas.list', summary: 'Trades that prices suggest, surest first' },
      },
    )
    .get(
      '/ideas/:id',
      async ({ params, query, set }) =>
        dated(set, await reads.idea(params.id, query), ({ createdAt }) => [createdAt]),
      {
        params: t.Object({ id: t.String() }),
        query: IdeaQuery,
        auth: 'optional',
        cache: 300,
        bodies: answers(Idea, 400, 404, 429, 503),
        detail: { operationId: 'ideas.one', summary: 'One idea, also after it expired' },
      },
    )
