import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated, rowTimes } from '../../http/dated.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { RegimePage, RegimeScanQuery, RetiredHistory } from './regime.schema.ts'
import type { RegimeReads } from './regime.service.ts'

export const regimeRoutes = (regimes: RegimeReads) =>
  new Elysia({ prefix: '/api/public/regime', tags: ['markets'], adapter })
    .use(routeWords)
    .get(
      '/scan',
      async ({ query, set }) =>
        dated(set, await regimes.scan(query), ({ markets }) => rowTimes(markets)),
      {
        query: RegimeScanQuery,
        auth: 'optional',
        cache: 30,
        bodies: answers(RegimePage, 400, 429, 503),
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
        return regimes.retired()
      },
      {
        auth: 'optional',
        cache: 'no-store',
        bodies: { 410: RetiredHistory, ...failures(429) },
        detail: { operationId: 'regime.history', summary: 'Retired; says what replaced it' },
      },
    )
