import { Elysia, t } from 'elysia'
import {
  ALERT_CHANNELS,
  ALERT_CONDITIONS,
  ALERT_STATES,
  WATCHED_KINDS,
  WATCHED_STATES,
} from '../../domain/alerts/alert-rule.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import {
  AlertRulePage,
  AlertRuleSchema,
  AlertTested,
  WatchCandidates,
  WatchCreated,
  WatchedPage,
  WatchedSchema,
  WatchRemoved,
} from '../../contract/orders/watch.ts'
import { DeliveryPage } from '../../contract/orders/deliveries.ts'
import { DELIVERY_STATUSES, EVENT_NAMES } from '../../domain/webhooks/delivery.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { jsonBody } from '../../http/request/body.ts'
import { repeatable } from '../../http/request/repeatable.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../state/repeated-writes.ts'
import type { WatchService } from './watch.service.ts'

/** Fields are validated one by one, so that each refusal names its bounds. */
const RequestBody = jsonBody(t.Record(t.String(), t.Unknown()))
const WatchId = t.Object({ id: t.String({ description: 'id of the watched object' }) })
const RuleId = t.Object({ id: t.String({ description: 'id of the alert rule' }) })
const paging = {
  limit: param.clampedInteger({ default: 50, min: 1, max: 200, description: 'rows of a page' }),
  cursor: param.text('cursor of the next page, from `nextCursor`'),
}
const ownerOnly = { auth: 'required', cache: 'no-store' } as const

/** Routes of watched objects. */
export const watchRoutes = (watch: WatchService, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/watch', tags: ['watch'], adapter })
    .use(routePolicies)
    .post(
      '',
      async ({ body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        const { isNew, made } = await repeats.run(write, () => watch.watch(userId, body))
        return status(isNew ? 201 : 200, made)
      },
      {
        ...ownerOnly,
        body: RequestBody,
        response: responses({
          200: WatchCreated,
          201: WatchCreated,
          ...failures(400, 401, 404, 409, 429, 503),
        }),
        detail: {
          operationId: 'watch.create',
          summary: 'Watches a market, topic or query, optionally with an alert rule',
        },
      },
    )
    .post('/identify', async ({ body }) => await watch.identify(body), {
      ...ownerOnly,
      body: RequestBody,
      response: answers(WatchCandidates, 400, 401, 429),
      detail: {
        operationId: 'watch.identify',
        summary: 'Objects that a text may refer to; stores nothing',
      },
    })
    .get(
      '',
      async ({ request, query: { kind, state, limit, cursor } }) =>
        await watch.objects(knownCaller(request).userId, { kind, state }, { limit, cursor }),
      {
        ...ownerOnly,
        query: query({
          kind: param.oneOf(WATCHED_KINDS, null, { description: 'objects of this kind' }),
          state: param.oneOf(WATCHED_STATES, 'active', { description: 'objects in this state' }),
          ...paging,
        }),
        response: answers(WatchedPage, 400, 401, 429),
        detail: { operationId: 'watch.list', summary: 'Your watched objects, newest first' },
      },
    )
    .get(
      '/:id',
      async ({ params, request }) => await watch.object(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: WatchId,
        response: answers(WatchedSchema, 401, 404, 429),
        detail: { operationId: 'watch.get', summary: 'One of your watched objects' },
      },
    )
    .patch(
      '/:id',
      async ({ params, body, request }) =>
        await watch.changeObject(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: WatchId,
        body: RequestBody,
        response: answers(WatchedSchema, 400, 401, 404, 429),
        detail: { operationId: 'watch.change', summary: 'Changes label, note or state' },
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) =>
        await watch.removeObject(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: WatchId,
        response: answers(WatchRemoved, 401, 404, 429),
        detail: { operationId: 'watch.remove', summary: 'Removes an object and its alert rules' },
      },
    )
    .post(
      '/:id/refresh',
      async ({ params, request }) => await watch.refresh(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: WatchId,
        response: answers(WatchedSchema, 401, 404, 429),
        detail: { operationId: 'watch.refresh', summary: 'Takes a new snapshot of an object' },
      },
    )

/** Routes of alert rules and of the notices that they sent. */
export const alertRoutes = (watch: WatchService, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api', tags: ['watch'], adapter })
    .use(routePolicies)
    .post(
      '/alert-rules',
      async ({ body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return status(201, await repeats.run(write, () => watch.addRule(userId, body)))
      },
      {
        ...ownerOnly,
        body: RequestBody,
        response: responses({ 201: AlertRuleSchema, ...failures(400, 401, 404, 409, 429, 503) }),
        detail: {
          operationId: 'alert.create',
          summary: 'Creates an alert on a market; the market is watched with it',
        },
      },
    )
    .get(
      '/alert-rules',
      async ({ request, query: { state, objectId, condition, channel, limit, cursor } }) =>
        await watch.rules(
          knownCaller(request).userId,
          { state, objectId, condition, channel },
          { limit, cursor },
        ),
      {
        ...ownerOnly,
        query: query({
          state: param.oneOf(ALERT_STATES, null, { description: 'rules in this state' }),
          objectId: param.text('of one watched object'),
          condition: param.oneOf(ALERT_CONDITIONS, null, {
            description: 'rules of this condition',
          }),
          channel: param.oneOf(ALERT_CHANNELS, null, { description: 'rules of this channel' }),
          ...paging,
        }),
        response: answers(AlertRulePage, 400, 401, 429),
        detail: { operationId: 'alerts.list', summary: 'Your alert rules, newest first' },
      },
    )
    .get(
      '/alert-rules/:id',
      async ({ params, request }) => await watch.rule(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: RuleId,
        response: answers(AlertRuleSchema, 401, 404, 429),
        detail: { operationId: 'alerts.get', summary: 'One of your alert rules' },
      },
    )
    .patch(
      '/alert-rules/:id',
      async ({ params, body, request }) =>
        await watch.changeRule(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: RuleId,
        body: RequestBody,
        response: responses({ 200: AlertRuleSchema, ...failures(400, 401, 404, 429, 503) }),
        detail: {
          operationId: 'alerts.change',
          summary: 'Changes an alert rule, pauses or resumes it',
        },
      },
    )
    .delete(
      '/alert-rules/:id',
      async ({ params, request }) => await watch.removeRule(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: RuleId,
        response: answers(WatchRemoved, 401, 404, 429),
        detail: { operationId: 'alerts.remove', summary: 'Removes an alert rule' },
      },
    )
    .post(
      '/alert-rules/:id/test',
      async ({ params, request }) => await watch.test(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        rate: 'test',
        params: RuleId,
        response: answers(AlertTested, 401, 404, 429, 503),
        detail: { operationId: 'alerts.test', summary: 'Sends a test notice of an alert rule now' },
      },
    )
    .get(
      '/alert-deliveries',
      async ({ request, query: { limit, cursor, ...filter } }) =>
        await watch.deliveries(knownCaller(request).userId, filter, { limit, cursor }),
      {
        ...ownerOnly,
        query: query({
          ruleId: param.text('of one alert rule'),
          endpointId: param.text('of one webhook endpoint'),
          status: param.oneOf(DELIVERY_STATUSES, null, { description: 'notices in this state' }),
          event: param.oneOf(EVENT_NAMES, null, { description: 'notices of this event' }),
          channel: param.oneOf(ALERT_CHANNELS, null, { description: 'notices on this channel' }),
          since: param.instant('created at this time or later'),
          ...paging,
        }),
        response: answers(DeliveryPage, 400, 401, 429),
        detail: { operationId: 'alerts.deliveries', summary: 'Sent notices, newest first' },
      },
    )
