import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { CurveQuery, Curves, CurvesQuery, YieldCurve } from './curves.schema.ts'
import type { CurveReads } from './curves.service.ts'

export const curveRoutes = (reads: CurveReads) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routeWords)
    .get(
      '/yield-curves',
      async ({ query, set }) =>
        dated(set, await reads.curves(query), ({ generatedAt }) => [generatedAt]),
      {
        query: CurvesQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(Curves, 400, 429, 503),
        detail: {
          operationId: 'curves.list',
          summary: 'Prices by deadline of one question, most traded first',
        },
      },
    )
    .get(
      '/yield-curves/:event',
      async ({ params, query, set }) =>
        dated(set, await reads.curve(params.event, query), ({ asOf }) => [asOf]),
      {
        params: t.Object({ event: t.String() }),
        query: CurveQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(YieldCurve, 400, 404, 429, 503),
        detail: { operationId: 'curves.one', summary: 'Prices by deadline of one event' },
      },
    )
