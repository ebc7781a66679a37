import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { PairPage, PairsQuery, PairStats, PairStatsQuery } from './pairs.schema.ts'
import { createPairReads } from './pairs.service.ts'
import type { PairsDeps } from './pairs.service.ts'

export function crossVenueRoutes(deps: PairsDeps) {
  const reads = createPairReads(deps)
  return new Elysia({ prefix: '/api/public/cross-venue', tags: ['crossvenue'], adapter })
    .use(routeWords)
    .get(
      '/pairs',
      async ({ query, set }) =>
        dated(set, await reads.pairs(query), ({ generatedAt }) => [generatedAt]),
      {
        query: PairsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(PairPage, 400, 429, 503),
        detail: { operationId: 'pairs.list', summary: 'One question on both venues, in pages' },
      },
    )
    .get(
      '/stats',
      async ({ query, set }) =>
        dated(set, await reads.stats(query), ({ generatedAt }) => [generatedAt]),
      {
        query: PairStatsQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(PairStats, 400, 429, 503),
        detail: { operationId: 'pairs.stats', summary: 'How many pairs, how sure, how far apart' },
      },
    )
}
