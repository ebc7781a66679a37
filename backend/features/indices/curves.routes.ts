import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { CurveQuery, Curves, CurvesQuery, YieldCurve } from '../../contract/indices.ts'
import type { CurveService } from './curves.service.ts'

export const curveRoutes = (service: CurveService) =>
  new Elysia({ prefix: '/api/public', tags: ['indices'], adapter })
    .use(routePolicies)
    .get(
      '/yield-curves',
      async ({ query, set }) =>
        withLastModified(set, await service.curves(query), ({ generatedAt }) => [generatedAt]),
      {
        query: CurvesQuery,
        auth: 'optional',
        cache: 60,
        response: answers(Curves, 400, 429, 503),
        detail: {
          operationId: 'yieldcurves.read',
          summary: 'Prices by deadline of one question, most traded first',
        },
      },
    )
    .get(
      '/yield-curves/:event',
      async ({ params, query, set }) =>
        withLastModified(set, await service.curve(params.event, query), ({ asOf }) => [asOf]),
      {
        params: t.Object({ event: t.String({ description: 'event, from the list of curves' }) }),
        query: CurveQuery,
        auth: 'optional',
        cache: 60,
        response: answers(YieldCurve, 400, 404, 429, 503),
        detail: { operationId: 'curves.one', summary: 'Prices by deadline of one event' },
      },
    )
