import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { askerOf } from '../../http/asker.ts'
import { jsonBody } from '../../http/body.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { ContextAnswer, ContextQuery } from './context.schema.ts'
import { createContextReads } from './context.service.ts'
import { DiscussBody, Discussion } from './discuss.schema.ts'
import { createDiscussions } from './discuss.service.ts'
import { EnrichBody, Enrichment } from './enrich.schema.ts'
import { createEnrichment } from './enrich.service.ts'
import type { QueryDeps } from './query.deps.ts'
import { queryRoutes } from './query.routes.ts'
import { createQueryService } from './query.service.ts'

/** Questions in plain words: answers, discussions, enrichment, and the whole in one short answer. */
export function createQuestions(deps: QueryDeps) {
  const questions = createQueryService(deps)
  const context = createContextReads(deps)
  const discussions = createDiscussions(deps)
  const enrichment = createEnrichment(deps)
  const routes = new Elysia({ name: 'questions', tags: ['query'], adapter })
    .use(routeWords)
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
        bodies: answers(ContextAnswer, 400, 429, 503),
        detail: {
          operationId: 'context.read',
          summary: 'Edges, movers and highlights in one answer',
        },
      },
    )
    .post(
      '/api/public/discuss',
      ({ body, request }) => discussions.discuss(body, askerOf(request)),
      {
        body: jsonBody(DiscussBody),
        auth: 'optional',
        rate: 'discuss',
        cache: 'no-store',
        response: answers(Discussion, 400, 401, 404, 429, 500, 503),
        detail: { operationId: 'query.discuss', summary: 'A question seen from several sides' },
      },
    )
    .post(
      '/api/monitor-the-situation/enrich',
      ({ body, request }) => enrichment.enrich(body, askerOf(request)),
      {
        body: jsonBody(EnrichBody),
        auth: 'anyone',
        rate: 'enrich',
        cache: 'no-store',
        response: answers(Enrichment, 400, 401, 429, 500, 503),
        detail: {
          operationId: 'content.enrich',
          summary: 'What a text says of topics and markets',
        },
      },
    )
  return {
    routes,
    /** Forgets what was answered, after stored history changed under it. */
    forget(): void {
      questions.forget()
      context.forget()
    },
  }
}
