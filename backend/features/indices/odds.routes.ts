import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { OddsAnswer, OddsQuery, OddsTableQuery } from './odds.schema.ts'
import type { OddsReads } from './odds.service.ts'

export const oddsRoutes = (reads: OddsReads) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routeWords)
    .get(
      '/odds',
      async ({ query, set }) => dated(set, await reads.odds(query), ({ asOf }) => [asOf]),
      {
        query: OddsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(OddsAnswer, 400, 429, 503),
        detail: { operationId: 'odds.list', summary: 'Liquidity-weighted odds, most traded first' },
      },
    )
    .get(
      '/odds.md',
      async ({ query }) => {
        const { text, at } = await reads.markdown(query)
        return new Response(text, {
          headers: {
            'content-type': 'text/markdown; charset=utf-8',
            'last-modified': new Date(at).toUTCString(),
          },
        })
      },
      {
        query: OddsTableQuery,
        auth: 'optional',
        cache: 60,
        detail: {
          operationId: 'odds.table',
          summary: 'The same odds as markdown, a table a category',
          responses: {
            200: {
              description: 'at most 500 rows',
              content: { 'text/markdown': { schema: { type: 'string' } } },
            },
            400: {
              description: 'what cannot be asked',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { error: { type: 'string' }, code: { type: 'string' } },
                  },
                },
              },
            },
          },
        },
      },
    )
