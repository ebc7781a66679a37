import { Elysia, t } from 'elysia'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, orText } from '../../contract/schemas.ts'
import {
  ThesesByTicker,
  ThesisChanges,
  ThesisContext,
  ThesisFeed,
  ThesisPrompt,
} from '../../contract/theses/reads.ts'
import { adapter } from '../../http/adapter.ts'
import { callerOf, knownCaller } from '../../http/auth/auth.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { ownerOnly, ThesisId } from './thesis-id.ts'
import type { ThesisReadService } from './thesis-reads.service.ts'

/** Routes that read theses as agents use them. */
export const thesisReadRoutes = (service: ThesisReadService) =>
  new Elysia({ prefix: '/api', tags: ['theses'], adapter })
    .use(routePolicies)
    .get(
      '/thesis/:id/context',
      async ({ params, request, query: { depth, limit, asOf } }) =>
        await service.context(knownCaller(request).userId, params.id, { depth, limit, asOf }),
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({
          depth: param.flag('with the order books of its markets', true),
          limit: param.limit(25, 100),
          asOf: param.asOf(),
        }),
        response: answers(ThesisContext, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.context',
          summary: 'Tree, edges with depth, evaluations and track record of a thesis',
        },
      },
    )
    .get(
      '/thesis/:id/changes',
      async ({ params, request, query: { since, asOf } }) =>
        await service.changes(knownCaller(request).userId, params.id, { since, asOf }),
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({ since: param.since('24h'), asOf: param.asOf() }),
        response: answers(ThesisChanges, 400, 401, 404, 409, 429),
        detail: { operationId: 'thesis.changes', summary: 'What changed in a thesis since a time' },
      },
    )
    .get(
      '/thesis/:id/prompt',
      async ({ params, request, query: { format, asOf } }) => {
        const prompt = await service.prompt(knownCaller(request).userId, params.id, asOf)
        return format === 'markdown'
          ? new Response(prompt.prompt, {
              headers: { 'content-type': 'text/markdown; charset=utf-8' },
            })
          : prompt
      },
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({
          format: param.format(['json', 'markdown'], 'json'),
          asOf: param.asOf(),
        }),
        response: answers(orText(ThesisPrompt, 'text/markdown'), 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.prompt',
          summary: 'A thesis as text for a language model; as markdown, the text alone',
        },
      },
    )
    .get(
      '/thesis/by-ticker/:ticker',
      async ({ params, request, query: { asOf } }) =>
        await service.byTicker(callerOf(request)?.userId ?? null, params.ticker, asOf),
      {
        auth: 'optional',
        cache: 'no-store',
        params: t.Object({ ticker: t.String({ description: 'market' }) }),
        query: query({ asOf: param.asOf() }),
        response: answers(ThesesByTicker, 400, 401, 404, 429, 503),
        detail: {
          operationId: 'thesis.by-ticker',
          summary: 'Published and own theses with an edge in a market',
        },
      },
    )
    .get(
      '/feed',
      async ({ request, query: { hours, limit, asOf } }) =>
        await service.feed(knownCaller(request).userId, { hours, limit, asOf }),
      {
        ...ownerOnly,
        query: query({
          hours: param.clampedInteger({
            default: 24,
            min: 1,
            max: 720,
            description: 'Length of the window in hours',
          }),
          limit: param.limit(200, 500),
          asOf: param.asOf(),
        }),
        response: answers(ThesisFeed, 400, 401, 429),
        detail: {
          operationId: 'thesis.feed',
          summary: 'Evaluations of all your theses, newest first',
        },
      },
    )
