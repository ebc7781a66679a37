import { Elysia, t } from 'elysia'
import { INTENT_STATUSES, OPEN_INTENTS, type IntentStatus } from '../../domain/portfolio/intent.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { objectBody } from '../../http/request/body.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, conflictWith, failures, stringEnum, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  IntentCancelled,
  IntentChange,
  IntentId,
  IntentPage,
  IntentSchema,
  NewIntent,
} from '../../contract/orders/intents.ts'
import type { IntentsService } from './intents.service.ts'

/** Conflict body of an invalid state change. */
const InvalidTransition = conflictWith({
  from: t.Optional(stringEnum(INTENT_STATUSES)),
  to: t.Optional(stringEnum(INTENT_STATUSES)),
})

/** Routes of trading intents. */
export const intentsRoutes = (intents: IntentsService) =>
  new Elysia({ prefix: '/api/intents', tags: ['intents'], adapter })
    .use(routePolicies)
    .post(
      '',
      async ({ body, request, status }) => {
        const idempotencyKey = request.headers.get('idempotency-key')
        return status(201, await intents.create(knownCaller(request).userId, body, idempotencyKey))
      },
      {
        body: objectBody(NewIntent),
        auth: 'required',
        cache: 'no-store',
        response: responses({ 201: IntentSchema, ...failures(400, 401, 404, 409, 429) }),
        detail: {
          operationId: 'intent.create',
          summary: 'Creates a trade intent; with autoExecute the service trades it',
        },
      },
    )
    .get(
      '',
      async ({ request, query: { status, active, marketId, thesisId, limit, cursor } }) =>
        await intents.page(
          knownCaller(request).userId,
          { statuses: statusesOf(status, active), ticker: marketId, thesisId },
          { limit, cursor },
        ),
      {
        query: query({
          status: param.listOf(INTENT_STATUSES, 'states to show'),
          active: param.optionalFlag('true: only those that may still trade'),
          marketId: param.text('of one market'),
          thesisId: param.text('of one thesis'),
          limit: param.limit(50, 200),
          cursor: param.text('cursor of the next page, from `nextCursor`'),
        }),
        auth: 'required',
        cache: 'no-store',
        response: answers(IntentPage, 400, 401, 429),
        detail: { operationId: 'intents.list', summary: 'Your intents, newest first' },
      },
    )
    .get(
      '/:id',
      async ({ params, request }) => await intents.byId(knownCaller(request).userId, params.id),
      {
        params: IntentId,
        auth: 'required',
        cache: 'no-store',
        response: answers(IntentSchema, 401, 404, 429),
        detail: { operationId: 'intents.get', summary: 'One of your intents' },
      },
    )
    .patch(
      '/:id',
      async ({ params, body, request }) =>
        await intents.change(knownCaller(request).userId, params.id, body),
      {
        params: IntentId,
        body: objectBody(IntentChange),
        auth: 'required',
        cache: 'no-store',
        response: responses({
          200: IntentSchema,
          ...failures(400, 401, 404, 429),
          ...InvalidTransition,
        }),
        detail: {
          operationId: 'intents.change',
          summary: 'Changes the state of an intent, books a fill, or changes a pending one',
        },
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) => await intents.cancel(knownCaller(request).userId, params.id),
      {
        params: IntentId,
        auth: 'required',
        cache: 'no-store',
        response: responses({
          200: IntentCancelled,
          ...failures(401, 404, 429),
          ...InvalidTransition,
        }),
        detail: { operationId: 'intents.cancel', summary: 'Cancels an intent; its row stays' },
      },
    )

/** States allowed by both parameters; null for all. */
function statusesOf(
  statuses: readonly IntentStatus[] | null,
  active: boolean | null,
): readonly IntentStatus[] | null {
  if (active !== true) return statuses
  return statuses === null
    ? OPEN_INTENTS
    : statuses.filter((status) => OPEN_INTENTS.includes(status))
}
