import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Calibration, CalibrationQuery } from './calibration.schema.ts'
import type { CalibrationReads } from './calibration.service.ts'

const summary = 'How prices a day before compare with what happened'

/** The same scorecards for callers with credentials, and for everybody. */
export const calibrationRoutes = (reads: Pick<CalibrationReads, 'calibration'>) =>
  new Elysia({ prefix: '/api', tags: ['edges'], adapter })
    .use(routeWords)
    .get(
      '/calibration',
      async ({ query, set }) => dated(set, await reads.calibration(query), ({ to }) => [to]),
      {
        query: CalibrationQuery,
        auth: 'required',
        cache: { seconds: 300, scope: 'private' },
        bodies: answers(Calibration, 400, 401, 429, 503),
        detail: { operationId: 'calibration.own', summary },
      },
    )
    .get(
      '/public/calibration',
      async ({ query, set }) => dated(set, await reads.calibration(query), ({ to }) => [to]),
      {
        query: CalibrationQuery,
        auth: 'none',
        rate: 'calibration',
        cache: 300,
        bodies: answers(Calibration, 400, 429, 503),
        detail: { operationId: 'calibration.public', summary },
      },
    )
