import { Elysia, t } from 'elysia'
import * as param from '../../../contract/params.ts'
import { query } from '../../../contract/query-schema.ts'
import { answers, failures, responses } from '../../../contract/schemas.ts'
import {
  NewPosition,
  NewStrategy,
  PositionChange,
  PositionExit,
  PositionExited,
  RowCreated,
  StrategyChange,
  StrategyPage,
  StrategyRemoved,
  ThesisPosition,
  ThesisStrategy,
} from '../../../contract/theses/holdings.ts'
import { STRATEGY_STATUSES } from '../../../domain/theses/holdings.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody } from '../../../http/request/body.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../../state/repeated-writes.ts'
import type { ThesisHoldings } from './holdings.service.ts'
import { repeatable } from '../../../http/request/repeatable.ts'
import { ownerOnly, ThesisId } from '../thesis-id.ts'

const PositionId = t.Object({
  ...ThesisId.properties,
  positionId: t.String({ description: 'position of the thesis, pos_…' }),
})
const StrategyId = t.Object({
  ...ThesisId.properties,
  strategyId: t.String({ description: 'strategy of the thesis, str_…' }),
})

/** Routes of the positions and strategies of a thesis. */
export const holdingsRoutes = (holdings: ThesisHoldings, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/thesis', tags: ['theses'], adapter })
    .use(routePolicies)
    .post(
      '/:id/positions',
      async ({ params, body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        const add = () => holdings.addPosition(userId, params.id, body)
        return status(201, await repeats.run(write, add))
      },
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(NewPosition),
        response: responses({ 201: RowCreated, ...failures(400, 401, 404, 409, 429) }),
        detail: { operationId: 'thesis.positions.add', summary: 'Records a position of a thesis' },
      },
    )
    .patch(
      '/:id/positions/:positionId',
      async ({ params: { id, positionId }, body, request }) =>
        await holdings.changePosition(knownCaller(request).userId, id, positionId, body),
      {
        ...ownerOnly,
        params: PositionId,
        body: documentedBody(PositionChange),
        response: answers(ThesisPosition, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.positions.change',
          summary: 'Changes, closes or reopens a position',
        },
      },
    )
    .delete(
      '/:id/positions/:positionId',
      async ({ params: { id, positionId }, body, request }) =>
        await holdings.exitPosition(knownCaller(request).userId, id, positionId, body),
      {
        ...ownerOnly,
        params: PositionId,
        body: documentedBody(PositionExit),
        response: answers(PositionExited, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.positions.exit',
          summary: 'Records the exit of a position; its row stays',
        },
      },
    )
    .get(
      '/:id/strategies',
      async ({ params, request, query: { status, asOf, limit, cursor } }) =>
        await holdings.strategies(
          knownCaller(request).userId,
          params.id,
          { statuses: status, asOf },
          { limit, cursor },
        ),
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({
          status: param.listOf(STRATEGY_STATUSES, 'strategies in these states'),
          asOf: param.asOf(),
          limit: param.limit(50, 200),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        response: answers(StrategyPage, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.strategies',
          summary: 'Strategies of a thesis, highest priority first',
        },
      },
    )
    .post(
      '/:id/strategies',
      async ({ params, body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        const add = () => holdings.addStrategy(userId, params.id, body)
        return status(201, await repeats.run(write, add))
      },
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(NewStrategy),
        response: responses({ 201: RowCreated, ...failures(400, 401, 404, 409, 429) }),
        detail: {
          operationId: 'thesis.strategies.add',
          summary: 'Adds a trading strategy to a thesis',
        },
      },
    )
    .patch(
      '/:id/strategies/:strategyId',
      async ({ params: { id, strategyId }, body, request }) =>
        await holdings.changeStrategy(knownCaller(request).userId, id, strategyId, body),
      {
        ...ownerOnly,
        params: StrategyId,
        body: documentedBody(StrategyChange),
        response: answers(ThesisStrategy, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.strategies.change',
          summary: 'Changes a strategy that is neither executed nor cancelled',
        },
      },
    )
    .delete(
      '/:id/strategies/:strategyId',
      async ({ params: { id, strategyId }, request }) =>
        await holdings.removeStrategy(knownCaller(request).userId, id, strategyId),
      {
        ...ownerOnly,
        params: StrategyId,
        response: answers(StrategyRemoved, 401, 404, 409, 429),
        detail: { operationId: 'thesis.strategies.remove', summary: 'Removes a strategy' },
      },
    )
