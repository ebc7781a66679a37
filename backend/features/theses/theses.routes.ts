import { Elysia, t } from 'elysia'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, nullable, responses, stringEnum } from '../../contract/schemas.ts'
import {
  ClaimRefused,
  EvaluationPage,
  KillConditionSchema,
  PublicThesis,
  SignalQueued,
  ThesisEvaluated,
  ThesisUpdated,
  ThesisFormed,
  ThesisPage,
  ThesisPublished,
  ThesisQueued,
  ThesisRemoved,
  ThesisSchema,
  ThesisUnpublished,
  TreeEdited,
  WhatIfAnswer,
} from '../../contract/theses/thesis.ts'
import {
  SETTABLE_THESIS_STATUSES,
  THESIS_OUTCOMES,
  THESIS_STATUSES,
} from '../../domain/theses/status.ts'
import { EVALUATION_TIERS } from '../../domain/theses/heartbeat.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { noThesisPage } from './thesis-page.ts'
import type { RepeatedWrites } from '../../state/repeated-writes.ts'
import { repeatable } from '../../http/request/repeatable.ts'
import type { ThesesService } from './theses.service.ts'
import { ownerOnly, ownerOnlyByModel, ThesisId } from './thesis-id.ts'
import type { ThesisPublication } from './thesis-publication.service.ts'
import type { ThesisWork } from './thesis-work.service.ts'

const OptionalText = t.Optional(nullable(t.String()))

const WebhookUrl = t.Optional(
  nullable(t.String({ description: 'https address that receives the events of this thesis' })),
)

const NewThesis = t.Object({
  rawThesis: t.Optional(t.String({ description: 'the claim, 20 to 4,000 characters' })),
  title: t.Optional(t.String({ description: '1 to 200 characters; the claim when it is absent' })),
  metadata: t.Optional(t.Record(t.String(), t.Unknown())),
  webhookUrl: WebhookUrl,
  inheritEdgeMarketIds: t.Optional(
    t.Array(t.String(), { description: 'edges of your theses that it takes over, at most 100' }),
  ),
})
const ThesisChange = t.Object({
  title: t.Optional(t.String()),
  status: t.Optional(stringEnum(SETTABLE_THESIS_STATUSES)),
  outcome: t.Optional(stringEnum(THESIS_OUTCOMES)),
  metadata: t.Optional(t.Record(t.String(), t.Unknown())),
  description: OptionalText,
  webhookUrl: WebhookUrl,
})
const NewSignal = t.Object({
  type: t.String({
    description: 'news, user_note, external, price_move, upcoming_event, social …',
  }),
  content: t.String({ description: '1 to 10,000 characters' }),
  source: t.Optional(t.String({ description: 'official, wire, press, social, user or a name' })),
  url: OptionalText,
  occurredAt: t.Optional(t.String({ format: 'date-time' })),
  nodeId: t.Optional(nullable(t.String({ description: 'the condition that it bears on' }))),
})
const Chance = t.Number({ minimum: 0, maximum: 1 })
const TreeChange = t.Object({
  updates: t.Optional(
    t.Array(
      t.Object({
        nodeId: t.String(),
        probability: t.Optional(Chance),
        importance: t.Optional(Chance),
        label: t.Optional(t.String()),
        outcome: t.Optional(nullable(stringEnum(['yes', 'no']))),
        locked: t.Optional(t.Boolean()),
        tickers: t.Optional(t.Array(t.String())),
        killCondition: t.Optional(nullable(KillConditionSchema)),
      }),
    ),
  ),
  add: t.Optional(
    t.Array(
      t.Object({
        parentId: nullable(t.String()),
        label: t.String(),
        probability: Chance,
        importance: t.Optional(Chance),
        tickers: t.Optional(t.Array(t.String())),
      }),
    ),
  ),
  remove: t.Optional(t.Array(t.String())),
  ifVersion: t.Optional(t.Integer({ description: 'refused when the tree has another version' })),
  reason: OptionalText,
})
const Overrides = t.Object({
  overrides: t.Union([
    t.Array(t.Object({ nodeId: t.String(), probability: Chance })),
    t.Record(t.String(), Chance),
  ]),
})
const Evaluating = t.Object({
  modelTier: t.Optional(stringEnum(EVALUATION_TIERS)),
})
const Publication = t.Object({
  slug: t.Optional(t.String({ description: '3 to 60 of a-z, 0-9 and single dashes' })),
  description: OptionalText,
})

/** Routes of a user's theses. */
export const thesesRoutes = (
  theses: ThesesService,
  publication: ThesisPublication,
  repeats: RepeatedWrites,
) =>
  new Elysia({ prefix: '/api/thesis', tags: ['theses'], adapter })
    .use(routePolicies)
    .post(
      '/create',
      async ({ body, request, query: { sync }, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        const createdThesis = await repeats.run(write, () => theses.create(userId, body, sync))
        return createdThesis.isFormed
          ? status(200, createdThesis.answer)
          : status(202, createdThesis.answer)
      },
      {
        ...ownerOnlyByModel,
        body: documentedBody(NewThesis),
        query: query({ sync: param.flag('answers when the thesis is formed') }),
        response: responses({
          200: ThesisFormed,
          202: ThesisQueued,
          ...failures(401, 409, 429),
          400: ClaimRefused,
        }),
        detail: {
          operationId: 'thesis.create',
          summary: 'Forms a thesis from a testable claim: its conditions, markets and edges',
        },
      },
    )
    .get(
      '',
      async ({ request, query: { status, q, published, asOf, limit, cursor } }) =>
        await theses.page(
          knownCaller(request).userId,
          { statuses: status, text: q, published, asOf },
          { limit, cursor },
        ),
      {
        ...ownerOnly,
        query: query({
          status: param.listOf(THESIS_STATUSES, 'theses in these states'),
          q: param.text('text in the title or the claim'),
          published: param.optionalFlag('only published ones, or only others'),
          asOf: param.asOf(),
          limit: param.limit(50, 200),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        response: answers(ThesisPage, 400, 401, 429),
        detail: { operationId: 'thesis.list', summary: 'Your theses, last changed first' },
      },
    )
    .get(
      '/:id',
      async ({ params, request, query: { asOf } }) =>
        await theses.byId(knownCaller(request).userId, params.id, asOf),
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({ asOf: param.asOf() }),
        response: answers(ThesisSchema, 400, 401, 404, 409, 429),
        detail: { operationId: 'thesis.get', summary: 'A thesis with its tree and edges' },
      },
    )
    .patch(
      '/:id',
      async ({ params, body, request }) =>
        await theses.change(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(ThesisChange),
        response: answers(ThesisUpdated, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.change',
          summary: 'Changes title, state, notes or the address for events',
        },
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) => await theses.remove(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: ThesisId,
        response: answers(ThesisRemoved, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.remove',
          summary: 'Deletes a thesis with its signals and evaluations',
        },
      },
    )
    .post(
      '/:id/publish',
      async ({ params, body, request }) =>
        await publication.publish(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(Publication),
        response: answers(ThesisPublished, 400, 401, 404, 409, 429),
        detail: { operationId: 'thesis.publish', summary: 'Makes a thesis public under a slug' },
      },
    )
    .delete(
      '/:id/publish',
      async ({ params, request }) =>
        await publication.unpublish(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: ThesisId,
        response: answers(ThesisUnpublished, 401, 404, 409, 429),
        detail: { operationId: 'thesis.unpublish', summary: 'Makes a thesis private again' },
      },
    )
    .post(
      '/:id/unpublish',
      async ({ params, request }) =>
        await publication.unpublish(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(t.Object({})),
        response: answers(ThesisUnpublished, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.unpublish.post',
          summary: 'The same as deleting the publication',
        },
      },
    )

/** Routes of the work on one thesis. */
export const thesisWorkRoutes = (work: ThesisWork, repeats: RepeatedWrites) => {
  const editing = {
    ...ownerOnly,
    params: ThesisId,
    body: documentedBody(TreeChange),
    response: answers(TreeEdited, 400, 401, 404, 409, 429),
  }
  return new Elysia({ prefix: '/api/thesis', tags: ['theses'], adapter })
    .use(routePolicies)
    .post(
      '/:id/signal',
      async ({ params, body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return status(202, await repeats.run(write, () => work.signal(userId, params.id, body)))
      },
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(NewSignal),
        response: responses({ 202: SignalQueued, ...failures(400, 401, 404, 409, 429) }),
        detail: {
          operationId: 'thesis.signal',
          summary: 'Adds evidence that the next evaluation reads',
        },
      },
    )
    .post(
      '/:id/evaluate',
      async ({ params, body, request }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return await repeats.run(write, () => work.evaluate(userId, params.id, body))
      },
      {
        ...ownerOnlyByModel,
        params: ThesisId,
        body: documentedBody(Evaluating),
        response: answers(ThesisEvaluated, 400, 401, 404, 409, 429, 500),
        detail: {
          operationId: 'thesis.evaluate',
          summary: 'Evaluates a thesis now by its signals and markets',
        },
      },
    )
    .get(
      '/:id/evaluations',
      async ({ params, request, query: { days, raw, asOf, limit, cursor } }) =>
        await work.evaluations(
          knownCaller(request).userId,
          params.id,
          { days, raw, asOf },
          { limit, cursor },
        ),
      {
        ...ownerOnly,
        params: ThesisId,
        query: query({
          days: param.days(30),
          raw: param.flag('each evaluation instead of days'),
          asOf: param.asOf(),
          limit: param.limit(90, 365),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        response: answers(EvaluationPage, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.evaluations',
          summary: 'Confidence of a thesis by day, or each evaluation',
        },
      },
    )
    .post(
      '/:id/nodes/update',
      async ({ params, body, request }) =>
        await work.edit(knownCaller(request).userId, params.id, body),
      {
        ...editing,
        detail: { operationId: 'thesis.nodes.update', summary: 'Edits the tree of a thesis' },
      },
    )
    .patch(
      '/:id/nodes',
      async ({ params, body, request }) =>
        await work.edit(knownCaller(request).userId, params.id, body),
      {
        ...editing,
        detail: { operationId: 'thesis.nodes.change', summary: 'The same as nodes/update' },
      },
    )
    .post(
      '/:id/whatif',
      async ({ params, body, request }) =>
        await work.whatIf(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: ThesisId,
        body: documentedBody(Overrides),
        response: answers(WhatIfAnswer, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'thesis.whatif',
          summary: 'Confidence and edges under other probabilities; stores nothing',
        },
      },
    )
}

const htmlResponse = (body: string, status: number): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })

/** Public reads of a published thesis: as data and as a page. */
export const publicThesisRoutes = (publication: ThesisPublication) =>
  new Elysia({ tags: ['theses'], adapter })
    .use(routePolicies)
    .get('/api/public/thesis/:slug', async ({ params }) => await publication.public(params.slug), {
      params: t.Object({ slug: t.String({ description: 'slug of a published thesis' }) }),
      auth: 'optional',
      cache: 'no-store',
      response: answers(PublicThesis, 404, 429),
      detail: { operationId: 'thesis.public', summary: 'A published thesis' },
    })
    .get(
      '/thesis/:slug',
      async ({ params }) => {
        const page = await publication.page(params.slug)
        return page === null ? htmlResponse(noThesisPage(), 404) : htmlResponse(page, 200)
      },
      {
        params: t.Object({ slug: t.String() }),
        auth: 'none',
        rate: 'general',
        cache: 'no-store',
        detail: { hide: true },
      },
    )
