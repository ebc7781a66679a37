import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { requesterOf } from '../../http/auth/requester.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RatePolicy } from '../../http/routes/route-policies.ts'
import { PublicQuery, QueryAnswer } from '../../contract/query.ts'
import type { QueryService } from './query.service.ts'

export const queryRoutes = (service: QueryService) =>
  new Elysia({ prefix: '/api/public', tags: ['query'], adapter }).use(routePolicies).get(
    '/query',
    async ({ query, request, set }) => {
      const answer = await service.query(query, requesterOf(request))
      set.headers['last-modified'] = new Date(answer.meta.ts).toUTCString()
      return answer
    },
    {
      query: PublicQuery,
      auth: 'optional',
      rate: countedUnlessCached(service),
      cache: 300,
      response: answers(QueryAnswer, 400, 401, 429, 500, 503),
      detail: {
        operationId: 'query.ask',
        summary: 'Answers a plain-language question from markets and texts',
      },
    },
  )

/** A cached answer costs nothing, so it is not counted. */
const countedUnlessCached =
  (service: QueryService): RatePolicy =>
  (queryParams, isKnown) => {
    try {
      const publicQuery = PublicQuery['~standard'].validate(queryParams).value
      return service.isCached(publicQuery, isKnown) ? 'off' : 'query'
    } catch {
      // A malformed question is refused by the route and counted.
      return 'query'
    }
  }
