import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth.ts'
import { answers, failures } from '../../http/schemas.ts'
import { TickerParam } from '../../http/ticker.ts'
import { routeWords } from '../../http/words.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { Dossier, InspectQuery } from './inspect.schema.ts'
import type { InspectService } from './inspect.service.ts'

export const inspectRoutes = (service: InspectService) =>
  new Elysia({ prefix: '/api/agent', tags: ['inspect'], adapter })
    .use(routeWords)
    .get(
      '/inspect',
      () => {
        throw new InvalidInput('ticker required')
      },
      {
        auth: 'optional',
        cache: 'no-store',
        bodies: failures(400, 401, 429),
        detail: { operationId: 'inspect.missing', summary: 'Says that a ticker is needed' },
      },
    )
    .get(
      '/inspect/:ticker',
      async ({ params, query, request }) => {
        const isKnown = callerOf(request) !== null
        const { text, type, updatedAt } = await service.inspect(params.ticker, query, isKnown)
        const modified = new Date(updatedAt).toUTCString()
        return new Response(text, { headers: { 'content-type': type, 'last-modified': modified } })
      },
      {
        params: TickerParam,
        query: InspectQuery,
        auth: 'optional',
        cache: 10,
        bodies: answers(Dossier, 400, 401, 404, 410, 429, 502, 503),
        detail: {
          operationId: 'inspect.dossier',
          summary: 'Everything about one market: what to consider, why, and what to read next',
        },
      },
    )
