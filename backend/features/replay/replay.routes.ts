import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { jsonBody } from '../../http/request/body.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { ReplayControl, ReportsOfUsers } from './replay.control.ts'
import { ReplayReport, ReplayState, SeekBody, SpeedBody, StepBody } from '../../contract/replay.ts'
import { createReplay } from './replay.service.ts'

const Step = jsonBody(StepBody)
/** The body of a step is optional. */
const StepRequest: typeof Step = {
  schema: StepBody,
  '~standard': {
    ...Step['~standard'],
    validate: (stepBody) => Step['~standard'].validate(stepBody ?? {}),
  },
}

/** @param control null outside a replay */
export function replayRoutes(control: ReplayControl | null, reports: ReportsOfUsers | null = null) {
  const replay = createReplay(control, reports)
  const moveRoute = {
    auth: 'operator',
    cache: 'no-store',
    response: answers(ReplayState, 400, 401, 403, 404, 409, 429),
  } as const
  return new Elysia({ prefix: '/api/replay', tags: ['replay'], adapter })
    .use(routePolicies)
    .get('', () => replay.state(), {
      auth: 'optional',
      cache: 'no-store',
      response: answers(ReplayState, 401, 404, 429),
      detail: {
        operationId: 'replay.get',
        summary: 'Time, state and speed of a replay',
      },
    })
    .get(
      '/report',
      async ({ request, query: reportQuery }) => {
        const { userId } = knownCaller(request)
        if (reportQuery.format === 'json') return replay.report(userId)
        return new Response(await replay.reportPage(userId), {
          headers: { 'content-type': 'text/html; charset=utf-8' },
        })
      },
      {
        query: query({ format: param.format(['json', 'html'] as const, 'json') }),
        auth: 'required',
        cache: 'no-store',
        response: answers(orText(ReplayReport, 'text/html'), 400, 401, 404, 429),
        detail: {
          operationId: 'replay.report',
          summary: 'Your paper trades in a replay so far, in the form of a backtest report',
        },
      },
    )
    .post('/pause', () => replay.pause(), {
      ...moveRoute,
      detail: { operationId: 'replay.pause', summary: 'Pauses the clock of a replay' },
    })
    .post('/resume', () => replay.resume(), {
      ...moveRoute,
      detail: { operationId: 'replay.resume', summary: 'Resumes the clock of a replay' },
    })
    .post('/step', ({ body }) => replay.step(body), {
      ...moveRoute,
      body: StepRequest,
      detail: {
        operationId: 'replay.step',
        summary: 'Advances a replay by n seconds, or to the next world snapshot',
      },
    })
    .post('/seek', ({ body }) => replay.seek(body), {
      ...moveRoute,
      body: jsonBody(SeekBody),
      detail: {
        operationId: 'replay.seek',
        summary: 'Moves a replay to a time, forward or back; streams restart',
      },
    })
    .post('/speed', ({ body }) => replay.setSpeed(body), {
      ...moveRoute,
      body: jsonBody(SpeedBody),
      detail: { operationId: 'replay.speed', summary: 'Sets the speed of a replay' },
    })
}
