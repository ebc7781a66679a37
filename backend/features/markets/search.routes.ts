import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { withLastModified, rowTimes } from '../../http/cache/last-modified.ts'
import { ScanAnswer, ScanQuery, SearchAnswer, SearchQuery } from '../../contract/markets.ts'
import type { MarketSearch } from './search.service.ts'

export const searchRoutes = (search: MarketSearch) =>
  new Elysia({ prefix: '/api/public', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/search',
      async ({ query, set }) =>
        withLastModified(set, await search.search(query), ({ markets }) => rowTimes(markets)),
      {
        query: SearchQuery,
        auth: 'optional',
        cache: { seconds: 30, scope: 'private' },
        response: answers(SearchAnswer, 400, 429, 503),
        detail: {
          operationId: 'search.site',
          summary: 'Text search over all content, best first',
        },
      },
    )
    .get(
      '/scan',
      async ({ query, set }) =>
        withLastModified(set, await search.scan(query), ({ results }) => rowTimes(results)),
      {
        query: ScanQuery,
        auth: 'optional',
        cache: 60,
        response: answers(ScanAnswer, 400, 429, 503),
        detail: {
          operationId: 'markets.search',
          summary: 'Active markets that match a text and filters, best first',
        },
      },
    )
