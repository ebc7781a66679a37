import { Elysia } from 'elysia'
import * as param from '../../../contract/params.ts'
import { query } from '../../../contract/query-schema.ts'
import { answers } from '../../../contract/schemas.ts'
import { ThesisBacktest } from '../../../contract/theses/backtest.ts'
import { HeartbeatChange, ThesisHeartbeat } from '../../../contract/theses/heartbeat.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody } from '../../../http/request/body.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { Heartbeats } from './heartbeat.service.ts'
import type { ThesisBacktests } from '../thesis-backtest.service.ts'
import { ownerOnly, ownerOnlyByModel, ThesisId } from '../thesis-id.ts'

/** Routes of the scheduled evaluations of a thesis, and of their replay over the past. */
export const heartbeatRoutes = (heartbeats: Heartbeats, backtests: ThesisBacktests) =>
  new Elysia({ prefix: '/api/thesis', tags: ['theses'], adapter })
    .use(routePolicies)
    .get(
      '/:id/heartbeat',
      async ({ params, request }) => await heartbeats.read(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: ThesisId,
        response: answers(ThesisHeartbeat, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.heartbeat',
          summary: 'Schedule of the timed evaluations, and their cost this month',
        },
      },
    )
    .patch(
      '/:id/heartbeat',
      async ({ params, body, request }) =>
        await heartbeats.change(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(HeartbeatChange),
        response: answers(ThesisHeartbeat, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.heartbeat.change',
          summary: 'Changes the schedule, pauses or resumes it',
        },
      },
    )
    .get(
      '/:id/backtest',
      async ({ params, request, query: { window } }) =>
        await backtests.run(knownCaller(request).userId, params.id, window),
      {
        ...ownerOnlyByModel,
        params: ThesisId,
        query: query({ window: param.since('90d') }),
        response: answers(ThesisBacktest, 400, 401, 404, 409, 429, 503),
        detail: {
          operationId: 'thesis.backtest',
          summary: 'Forms the thesis in the past from the data known then and replays it to now',
        },
      },
    )
