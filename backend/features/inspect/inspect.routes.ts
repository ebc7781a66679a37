import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth/auth.ts'
import { answers, failures, responses, orText } from '../../contract/schemas.ts'
import { TickerParam } from '../../contract/market.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { Dossier, InspectQuery } from '../../contract/inspect.ts'
import type { InspectService } from './inspect.service.ts'

export const inspectRoutes = (service: InspectService) =>
  new Elysia({ prefix: '/api/agent', tags: ['inspect'], adapter })
    .use(routePolicies)
    .get(
      '/inspect',
      () => {
        throw new InvalidInput('ticker required')
      },
      {
        auth: 'optional',
        cache: 'no-store',
        response: responses(failures(400, 401, 429)),
        detail: { operationId: 'inspect.missing', summary: 'Error: a ticker is required' },
      },
    )
    .get(
      '/inspect/:ticker',
      async ({ params, query, request }) => {
        const userId = callerOf(request)?.userId ?? null
        const { text, type, updatedAt } = await service.inspect(params.ticker, query, userId)
        const lastModified = new Date(updatedAt).toUTCString()
        return new Response(text, {
          headers: { 'content-type': type, 'last-modified': lastModified },
        })
      },
      {
        params: TickerParam,
        query: InspectQuery,
        auth: 'optional',
        cache: { seconds: 10, cached: 'anonymous' },
        response: answers(orText(Dossier, 'text/markdown'), 400, 401, 404, 410, 429, 502, 503),
        detail: {
          operationId: 'market.inspect',
          summary: 'Everything about one market: suggestion, reasons, and what to read next',
        },
      },
    )
