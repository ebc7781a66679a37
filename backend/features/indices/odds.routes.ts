import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers, text } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { OddsAnswer, OddsQuery, OddsTableQuery } from '../../contract/indices.ts'
import type { OddsService } from './odds.service.ts'

export const oddsRoutes = (service: OddsService) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routePolicies)
    .get(
      '/odds',
      async ({ query, set }) =>
        withLastModified(set, await service.odds(query), ({ asOf }) => [asOf]),
      {
        query: OddsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(OddsAnswer, 400, 429, 503),
        detail: { operationId: 'odds.read', summary: 'Liquidity-weighted odds, most traded first' },
      },
    )
    .get(
      '/odds.md',
      async ({ query }) => {
        const { text, at } = await service.markdown(query)
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
        response: answers(text('text/markdown', 'at most 500 rows'), 400, 429, 503),
        detail: {
          operationId: 'odds.table',
          summary: 'The same odds as markdown, one table per category',
        },
      },
    )
