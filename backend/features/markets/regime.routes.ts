import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified, rowTimes } from '../../http/cache/last-modified.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { RegimePage, RegimeScanQuery, RetiredHistory } from '../../contract/market-history.ts'
import type { RegimeService } from './regime.service.ts'

export const regimeRoutes = (regimes: RegimeService) =>
  new Elysia({ prefix: '/api/public/regime', tags: ['markets'], adapter })
    .use(routePolicies)
    .get(
      '/scan',
      async ({ query, set }) =>
        withLastModified(set, await regimes.scan(query), ({ markets }) => rowTimes(markets)),
      {
        query: RegimeScanQuery,
        auth: 'optional',
        cache: 30,
        response: answers(RegimePage, 400, 429, 503),
        detail: {
          operationId: 'regime.scan',
          summary: 'Markets by adverse-selection score, label and signals',
        },
      },
    )
    .get(
      '/history',
      ({ set }) => {
        set.status = 410
        return regimes.retiredHistory()
      },
      {
        auth: 'optional',
        cache: 'no-store',
        response: responses({ 410: RetiredHistory, ...failures(429) }),
        detail: {
          operationId: 'regime.history',
          summary: 'Retired; the response names the replacement',
        },
      },
    )
