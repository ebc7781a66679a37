import { Elysia } from 'elysia'
import { prefersEvents } from '../../http/accept.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { jsonBody } from '../../http/body.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  BacktestCancelled,
  BacktestId,
  BacktestPage,
  BacktestRun,
  BacktestStarted,
  StartBacktest,
  Strategies,
  StrategyFace,
  StrategyName,
  TradePage,
} from './backtests.schema.ts'
import type { BacktestsService } from './backtests.service.ts'

/** Runs of strategies over the history; everybody sees their own. */
export const backtestsRoutes = (backtests: BacktestsService) =>
  new Elysia({ prefix: '/api/backtests', tags: ['backtests'], adapter })
    .use(routeWords)
    .post(
      '',
      async ({ body, request, status }) =>
        status(202, await backtests.start(knownCaller(request), body)),
      {
        body: jsonBody(StartBacktest),
        auth: 'required',
        cache: 'no-store',
        response: { 202: BacktestStarted, ...failures(400, 401, 429) },
        detail: {
          operationId: 'backtests.start',
          summary: 'Plays a strategy over stored history; one run at a time',
        },
      },
    )
    .get(
      '',
      async ({ request, query: asked }) =>
        await backtests.list(knownCaller(request), asked.limit, asked.cursor),
      {
        query: query({
          limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
          cursor: param.text('the page after, from `nextCursor`'),
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
        summary: 'Names of the strategies that can be played',
      },
    })
    .get(
      '/strategies/:name',
      async ({ params, request }) => await backtests.strategy(knownCaller(request), params.name),
      {
        params: StrategyName,
        auth: 'required',
        cache: 'no-store',
        response: answers(StrategyFace, 400, 401, 429),
        detail: {
          operationId: 'backtests.strategy',
          summary: 'What a strategy is about, and its parameters with their defaults',
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
        bodies: answers(BacktestRun, 401, 404, 429),
        detail: {
          operationId: 'backtests.get',
          summary: 'How far a run is and what came of it; as server-sent events its progress',
        },
      },
    )
    .get(
      '/:id/trades',
      async ({ params, request, query: asked }) =>
        await backtests.trades(knownCaller(request), params.id, asked.limit, asked.cursor),
      {
        params: BacktestId,
        query: query({
          limit: param.clampedInteger({ default: 500, min: 1, max: 2_000 }),
          cursor: param.text('the page after, from `nextCursor`'),
        }),
        auth: 'required',
        cache: 'no-store',
        response: answers(TradePage, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'backtests.trades',
          summary: 'All trades of a run that is done, oldest first',
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
        detail: { operationId: 'backtests.cancel', summary: 'Ends a run that waits or goes on' },
      },
    )
