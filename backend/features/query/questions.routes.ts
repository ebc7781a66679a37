import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { requesterOf } from '../../http/auth/requester.ts'
import { jsonBody } from '../../http/request/body.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  ContextAnswer,
  ContextQuery,
  DiscussBody,
  Discussion,
  EnrichBody,
  Enrichment,
} from '../../contract/query.ts'
import { createContextService } from './context.service.ts'
import { createDiscussions } from './discuss.service.ts'
import { createEnrichment } from './enrich.service.ts'
import type { QueryDeps } from './query.deps.ts'
import { queryRoutes } from './query.routes.ts'
import { createQueryService } from './query.service.ts'

/** Answers, discussions, enrichment, and the summary of the service. */
export function createQuestions(deps: QueryDeps) {
  const questions = createQueryService(deps)
  const context = createContextService(deps)
  const discussions = createDiscussions(deps)
  const enrichment = createEnrichment(deps)
  const routes = new Elysia({ name: 'questions', tags: ['query'], adapter })
    .use(routePolicies)
    .use(queryRoutes(questions))
    .get(
      '/api/public/context',
      async ({ query, set }) => {
        const answer = await context.context(query)
        if ('generatedAt' in answer) {
          set.headers['last-modified'] = new Date(answer.generatedAt).toUTCString()
        }
        return answer
      },
      {
        query: ContextQuery,
        auth: 'optional',
        cache: 60,
        response: answers(ContextAnswer, 400, 429, 503),
        detail: {
          operationId: 'context.read',
          summary: 'Edges, movers and highlights in one response',
        },
      },
    )
    .post(
      '/api/public/discuss',
      ({ body, request }) => discussions.discuss(body, requesterOf(request)),
      {
        body: jsonBody(DiscussBody),
        auth: 'optional',
        rate: 'discuss',
        cache: 'no-store',
        response: answers(Discussion, 400, 401, 404, 429, 500, 503),
        detail: { operationId: 'query.discuss', summary: 'A question from several perspectives' },
      },
    )
    .post(
      '/api/monitor-the-situation/enrich',
      ({ body, request }) => enrichment.enrich(body, requesterOf(request)),
      {
        body: jsonBody(EnrichBody),
        auth: 'anyone',
        rate: 'enrich',
        cache: 'no-store',
        response: answers(Enrichment, 400, 401, 429, 500, 503),
        detail: {
          operationId: 'content.enrich',
          summary: 'Topics and markets that a text mentions',
        },
      },
    )
  return {
    routes,
    /** Drops cached answers after stored history changed. */
    invalidate(): void {
      questions.invalidate()
      context.invalidate()
    },
  }
}
