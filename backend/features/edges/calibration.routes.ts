import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Calibration, CalibrationQuery } from '../../contract/edges.ts'
import type { CalibrationService } from './calibration.service.ts'

const summary = 'Calibration: prices a day before settlement against outcomes'

/** The same scorecards for callers with credentials and for everyone. */
export const calibrationRoutes = (service: Pick<CalibrationService, 'calibration'>) =>
  new Elysia({ prefix: '/api', tags: ['edges'], adapter })
    .use(routePolicies)
    .get(
      '/calibration',
      async ({ query, set }) =>
        withLastModified(set, await service.calibration(query), ({ to }) => [to]),
      {
        query: CalibrationQuery,
        auth: 'required',
        cache: { seconds: 300, scope: 'private' },
        response: answers(Calibration, 400, 401, 429, 503),
        detail: { operationId: 'calibration.read', summary },
      },
    )
    .get(
      '/public/calibration',
      async ({ query, set }) =>
        withLastModified(set, await service.calibration(query), ({ to }) => [to]),
      {
        query: CalibrationQuery,
        auth: 'none',
        rate: 'calibration',
        cache: 300,
        response: answers(Calibration, 400, 429, 503),
        detail: { operationId: 'calibration.public', summary },
      },
    )
