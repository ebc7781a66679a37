import { Elysia } from 'elysia'
import {
  NewPortfolioStrategy,
  NewPortfolioView,
  PortfolioStrategy,
  PortfolioStrategyChange,
  PortfolioStrategyPage,
  PortfolioTextId,
  PortfolioTextRemoved,
  PortfolioView,
  PortfolioViewChange,
  PortfolioViewPage,
} from '../../../contract/orders/texts.ts'
import * as param from '../../../contract/params.ts'
import { query } from '../../../contract/query-schema.ts'
import { answers, failures, responses } from '../../../contract/schemas.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody, objectBody } from '../../../http/request/body.ts'
import { repeatable } from '../../../http/request/repeatable.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../../state/repeated-writes.ts'
import type { PortfolioTexts } from './texts.service.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const
const paging = query({
  limit: param.limit(50, 200),
  cursor: param.text('cursor of the next page, from `nextCursor`'),
})
const removal = {
  ...USER_POLICY,
  body: documentedBody(PortfolioTextId),
  query: query({ id: param.text('id of the row, instead of a body') }),
  response: answers(PortfolioTextRemoved, 400, 401, 404, 429),
}

/** Routes of a user's views and strategies. */
export const textsRoutes = (texts: PortfolioTexts, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .get(
      '/views',
      async ({ request, query: page }) => await texts.views(knownCaller(request).userId, page),
      {
        ...USER_POLICY,
        query: paging,
        response: answers(PortfolioViewPage, 400, 401, 429),
        detail: { operationId: 'portfolio.views', summary: 'Your views, highest conviction first' },
      },
    )
    .post(
      '/views',
      async ({ body, request, status }) => {
        const { userId } = knownCaller(request)
        const add = () => texts.addView(userId, body)
        return status(201, await repeats.run(repeatable(request, userId, body), add))
      },
      {
        ...USER_POLICY,
        body: objectBody(NewPortfolioView),
        response: responses({ 201: PortfolioView, ...failures(400, 401, 404, 409, 429) }),
        detail: { operationId: 'portfolio.addView', summary: 'Stores a view' },
      },
    )
    .put(
      '/views',
      async ({ body, request }) => await texts.changeView(knownCaller(request).userId, body),
      {
        ...USER_POLICY,
        body: objectBody(PortfolioViewChange),
        response: answers(PortfolioView, 400, 401, 404, 429),
        detail: {
          operationId: 'portfolio.changeView',
          summary: 'Changes the sent fields of a view',
        },
      },
    )
    .delete(
      '/views',
      async ({ body, request, query: { id } }) =>
        await texts.removeView(knownCaller(request).userId, body, id),
      { ...removal, detail: { operationId: 'portfolio.removeView', summary: 'Deletes a view' } },
    )
    .get(
      '/strategy',
      async ({ request, query: page }) => await texts.strategies(knownCaller(request).userId, page),
      {
        ...USER_POLICY,
        query: paging,
        response: answers(PortfolioStrategyPage, 400, 401, 429),
        detail: {
          operationId: 'portfolio.strategies',
          summary: 'Your strategies, lowest priority number first',
        },
      },
    )
    .post(
      '/strategy',
      async ({ body, request, status }) => {
        const { userId } = knownCaller(request)
        const add = () => texts.addStrategy(userId, body)
        return status(201, await repeats.run(repeatable(request, userId, body), add))
      },
      {
        ...USER_POLICY,
        body: objectBody(NewPortfolioStrategy),
        response: responses({ 201: PortfolioStrategy, ...failures(400, 401, 409, 429) }),
        detail: { operationId: 'portfolio.addStrategy', summary: 'Stores a strategy' },
      },
    )
    .put(
      '/strategy',
      async ({ body, request }) => await texts.changeStrategy(knownCaller(request).userId, body),
      {
        ...USER_POLICY,
        body: objectBody(PortfolioStrategyChange),
        response: answers(PortfolioStrategy, 400, 401, 404, 429),
        detail: {
          operationId: 'portfolio.changeStrategy',
          summary: 'Changes the sent fields of a strategy',
        },
      },
    )
    .delete(
      '/strategy',
      async ({ body, request, query: { id } }) =>
        await texts.removeStrategy(knownCaller(request).userId, body, id),
      {
        ...removal,
        detail: { operationId: 'portfolio.removeStrategy', summary: 'Deletes a strategy' },
      },
    )
