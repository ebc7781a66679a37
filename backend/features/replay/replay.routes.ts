import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { jsonBody } from '../../http/body.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { ReplayControl, ReportsOfUsers } from './replay.control.ts'
import { ReplayReport, ReplayState, SeekBody, SpeedBody, StepBody } from './replay.schema.ts'
import { createReplay } from './replay.service.ts'

const Step = jsonBody(StepBody)
/** A step may be asked for without a body. */
const StepRequest: typeof Step = {
  '~standard': {
    ...Step['~standard'],
    validate: (sent) => Step['~standard'].validate(sent ?? {}),
  },
}

/** @param control null outside a replay */
export function replayRoutes(control: ReplayControl | null, reports: ReportsOfUsers | null = null) {
  const replay = createReplay(control, reports)
  const moved = {
    auth: 'operator',
    cache: 'no-store',
    response: answers(ReplayState, 400, 401, 403, 404, 409, 429),
  } as const
  return new Elysia({ prefix: '/api/replay', tags: ['replay'], adapter })
    .use(routeWords)
    .get('', () => replay.state(), {
      auth: 'optional',
      cache: 'no-store',
      response: answers(ReplayState, 401, 404, 429),
      detail: {
        operationId: 'replay.get',
        summary: 'Where the clock of a replay stands and how it moves',
      },
    })
    .get(
      '/report',
      async ({ request, query: asked }) => {
        const { userId } = knownCaller(request)
        if (asked.format === 'json') return replay.report(userId)
        return new Response(await replay.reportPage(userId), {
          headers: { 'content-type': 'text/html; charset=utf-8' },
        })
      },
      {
        query: query({ format: param.oneOf(['json', 'html'] as const, 'json') }),
        auth: 'required',
        cache: 'no-store',
        bodies: answers(ReplayReport, 400, 401, 404, 429),
        detail: {
          operationId: 'replay.report',
          summary: 'What you did on paper in a replay so far, as a backtest is reported',
        },
      },
    )
    .post('/pause', () => replay.pause(), {
      ...moved,
      detail: { operationId: 'replay.pause', summary: 'Stops the clock of a replay' },
    })
    .post('/resume', () => replay.resume(), {
      ...moved,
      detail: { operationId: 'replay.resume', summary: 'Lets the clock of a replay run on' },
    })
    .post('/step', ({ body }) => replay.step(body), {
      ...moved,
      body: StepRequest,
      detail: {
        operationId: 'replay.step',
        summary: 'Moves a replay on by n seconds, or to where the next world stands',
      },
    })
    .post('/seek', ({ body }) => replay.seek(body), {
      ...moved,
      body: jsonBody(SeekBody),
      detail: {
        operationId: 'replay.seek',
        summary: 'Goes to an instant of a replay, forward or back; streams begin anew',
      },
    })
    .post('/speed', ({ body }) => replay.setSpeed(body), {
      ...moved,
      body: jsonBody(SpeedBody),
      detail: { operationId: 'replay.speed', summary: 'Sets how fast a replay runs' },
    })
}
