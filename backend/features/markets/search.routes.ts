import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { dated, rowTimes } from '../../http/dated.ts'
import { ScanAnswer, ScanQuery, SearchAnswer, SearchQuery } from './search.schema.ts'
import type { MarketSearch } from './search.service.ts'

export const searchRoutes = (search: MarketSearch) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/search',
      async ({ query, set }) =>
        dated(set, await search.search(query), ({ markets }) => rowTimes(markets)),
      {
        query: SearchQuery,
        auth: 'optional',
        cache: { seconds: 30, scope: 'private' },
        bodies: answers(SearchAnswer, 400, 429, 503),
        detail: {
          operationId: 'search.site',
          summary: 'Everything that matches a text, best first',
        },
      },
    )
    .get(
      '/scan',
      async ({ query, set }) =>
        dated(set, await search.scan(query), ({ results }) => rowTimes(results)),
      {
        query: ScanQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(ScanAnswer, 400, 429, 503),
        detail: {
          operationId: 'markets.search',
          summary: 'Active markets that match a text and filters, best first',
        },
      },
    )
