import { Elysia } from 'elysia'
import { prefersEvents } from '../../http/request/accept.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { jsonBody } from '../../http/request/body.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, responses, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  BacktestCancelled,
  BacktestId,
  BacktestPage,
  BacktestRun,
  BacktestStarted,
  StartBacktest,
  Strategies,
  StrategyMetadata,
  StrategyName,
  TradePage,
} from '../../contract/backtests.ts'
import type { BacktestsService } from './backtests.service.ts'

/** Backtests of strategies over the history; users see only their own. */
export const backtestsRoutes = (backtests: BacktestsService) =>
  new Elysia({ prefix: '/api/backtests', tags: ['backtests'], adapter })
    .use(routePolicies)
    .post(
      '',
      async ({ body, request, status }) =>
        status(202, await backtests.start(knownCaller(request), body)),
      {
        body: jsonBody(StartBacktest),
        auth: 'required',
        cache: 'no-store',
        response: responses({ 202: BacktestStarted, ...failures(400, 401, 409, 429) }),
        detail: {
          operationId: 'backtests.start',
          summary: 'Runs a strategy over stored history; one run at a time',
        },
      },
    )
    .get(
      '',
      async ({ request, query: paging }) =>
        await backtests.list(knownCaller(request), paging.limit, paging.cursor),
      {
        query: query({
          limit: param.limit(50, 200),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        auth: 'required',
        cache: 'no-store',
        response: answers(BacktestPage, 400, 401, 429),
        detail: { operationId: 'backtests.list', summary: 'Your backtests, newest first' },
      },
    )
    .get('/strategies', () => ({ strategies: [...backtests.strategies()] }), {
      auth: 'required',
      cache: 'no-store',
      response: answers(Strategies, 401, 429),
      detail: {
        operationId: 'backtests.strategies',
        summary: 'Names of the available strategies',
      },
    })
    .get(
      '/strategies/:name',
      async ({ params, request }) => await backtests.strategy(knownCaller(request), params.name),
      {
        params: StrategyName,
        auth: 'required',
        cache: 'no-store',
        response: answers(StrategyMetadata, 400, 401, 429),
        detail: {
          operationId: 'backtests.strategy',
          summary: 'Description of a strategy, and its parameters with their defaults',
        },
      },
    )
    .get(
      '/:id',
      async ({ params, request }) => {
        const caller = knownCaller(request)
        if (!prefersEvents(request.headers.get('accept'), 'application/json')) {
          return backtests.find(caller, params.id)
        }
        return new Response(await backtests.follow(caller, params.id), {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
            vary: 'Origin, Accept',
          },
        })
      },
      {
        params: BacktestId,
        auth: 'required',
        cache: 'no-store',
        response: answers(orText(BacktestRun, 'text/event-stream'), 401, 404, 429),
        detail: {
          operationId: 'backtests.get',
          summary: 'State and result of a run; as server-sent events its progress',
        },
      },
    )
    .get(
      '/:id/trades',
      async ({ params, request, query: paging }) =>
        await backtests.trades(knownCaller(request), params.id, paging.limit, paging.cursor),
      {
        params: BacktestId,
        query: query({
          limit: param.limit(500, 2_000),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        auth: 'required',
        cache: 'no-store',
        response: answers(TradePage, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'backtests.trades',
          summary: 'All trades of a completed run, oldest first',
        },
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) => await backtests.cancel(knownCaller(request), params.id),
      {
        params: BacktestId,
        auth: 'required',
        cache: 'no-store',
        response: answers(BacktestCancelled, 401, 404, 429),
        detail: {
          operationId: 'backtests.cancel',
          summary: 'Cancels a queued or running backtest',
        },
      },
    )
