import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { PairPage, PairsQuery, PairStats, PairStatsQuery } from '../../contract/crossvenue.ts'
import { createPairService } from './pairs.service.ts'
import type { PairsDeps } from './pairs.service.ts'

export function crossVenueRoutes(deps: PairsDeps) {
  const service = createPairService(deps)
  return new Elysia({ prefix: '/api/public/cross-venue', tags: ['crossvenue'], adapter })
    .use(routePolicies)
    .get(
      '/pairs',
      async ({ query, set }) =>
        withLastModified(set, await service.pairs(query), ({ generatedAt }) => [generatedAt]),
      {
        query: PairsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(PairPage, 400, 429, 503),
        detail: {
          operationId: 'crossvenue.pairs',
          summary: 'Pairs of the same question on both venues, in pages',
        },
      },
    )
    .get(
      '/stats',
      async ({ query, set }) =>
        withLastModified(set, await service.stats(query), ({ generatedAt }) => [generatedAt]),
      {
        query: PairStatsQuery,
        auth: 'optional',
        cache: 60,
        response: answers(PairStats, 400, 429, 503),
        detail: { operationId: 'pairs.stats', summary: 'Number, confidence and gap of the pairs' },
      },
    )
}
