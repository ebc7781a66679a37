import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { askerOf } from '../../http/asker.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { RateWord } from '../../http/words.ts'
import { PublicQuery, QueryAnswer } from './query.schema.ts'
import type { QueryService } from './query.service.ts'

export const queryRoutes = (service: QueryService) =>
  new Elysia({ prefix: '/api/public', tags: ['query'], adapter }).use(routeWords).get(
    '/query',
    async ({ query, request, set }) => {
      const answer = await service.query(query, askerOf(request))
      set.headers['last-modified'] = new Date(answer.meta.ts).toUTCString()
      return answer
    },
    {
      query: PublicQuery,
      auth: 'optional',
      rate: countedUnlessKept(service),
      cache: 300,
      bodies: answers(QueryAnswer, 400, 401, 429, 500, 503),
      detail: {
        operationId: 'query.ask',
        summary: 'Answers a plain question from markets and texts',
      },
    },
  )

/** An answer that stands in memory costs nothing, so it does not count. */
const countedUnlessKept =
  (service: QueryService): RateWord =>
  (sent, isKnown) => {
    try {
      const asked = PublicQuery['~standard'].validate(sent).value
      return service.isKept(asked, isKnown) ? 'off' : 'query'
    } catch {
      // A malformed question is refused by the route, and counts.
      return 'query'
    }
  }
