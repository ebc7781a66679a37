import { Elysia, t } from 'elysia'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { DeliveryPage, DeliverySchema } from '../../contract/orders/deliveries.ts'
import {
  DeliveriesQueued,
  DeliveryDetail,
  EndpointChange,
  EndpointCreated,
  EndpointPage,
  EndpointRemoved,
  EndpointSchema,
  EndpointTested,
  NewEndpoint,
  ReplayRange,
  Rotation,
  SecretRotated,
} from '../../contract/orders/webhooks.ts'
import { DELIVERY_STATUSES, EVENT_NAMES } from '../../domain/webhooks/delivery.ts'
import { ENDPOINT_STATES } from '../../domain/webhooks/endpoint.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { repeatable } from '../../http/request/repeatable.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../state/repeated-writes.ts'
import type { WebhooksService } from './webhooks.service.ts'

const EndpointId = t.Object({ id: t.String({ description: 'endpoint, we_…' }) })
const DeliveryId = t.Object({
  id: t.String({ description: 'endpoint, we_…' }),
  deliveryId: t.String({ description: 'delivery, del_…' }),
})
const ownerOnly = { auth: 'required', cache: 'no-store' } as const
const paging = {
  limit: param.limit(50, 200),
  cursor: param.text('cursor of the next page, from `nextCursor`'),
}
const NoBody = documentedBody(t.Object({}))

/** Routes of a user's webhook endpoints. */
export const endpointRoutes = (webhooks: WebhooksService, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/webhook-endpoints', tags: ['webhooks'], adapter })
    .use(routePolicies)
    .post(
      '',
      async ({ body, request, status }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return status(201, await repeats.run(write, () => webhooks.create(userId, body)))
      },
      {
        ...ownerOnly,
        body: documentedBody(NewEndpoint),
        response: responses({ 201: EndpointCreated, ...failures(400, 401, 409, 429) }),
        detail: {
          operationId: 'webhooks.create',
          summary: 'Creates an endpoint that receives signed events; returns its secret once',
        },
      },
    )
    .get(
      '',
      async ({ request, query: { state, limit, cursor } }) =>
        await webhooks.page(knownCaller(request).userId, { state }, { limit, cursor }),
      {
        ...ownerOnly,
        query: query({
          state: param.oneOf(ENDPOINT_STATES, null, { description: 'endpoints in this state' }),
          ...paging,
        }),
        response: answers(EndpointPage, 400, 401, 429),
        detail: { operationId: 'webhooks.list', summary: 'Your endpoints, newest first' },
      },
    )
    .get(
      '/:id',
      async ({ params, request }) => await webhooks.byId(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: EndpointId,
        response: answers(EndpointSchema, 401, 404, 429),
        detail: { operationId: 'webhooks.get', summary: 'One of your endpoints' },
      },
    )
    .patch(
      '/:id',
      async ({ params, body, request }) =>
        await webhooks.change(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: EndpointId,
        body: documentedBody(EndpointChange),
        response: answers(EndpointSchema, 400, 401, 404, 409, 429),
        detail: {
          operationId: 'webhooks.change',
          summary: 'Changes address, label or events of an endpoint, pauses or resumes it',
        },
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) => await webhooks.remove(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: EndpointId,
        response: answers(EndpointRemoved, 401, 404, 429),
        detail: {
          operationId: 'webhooks.remove',
          summary: 'Deletes an endpoint; its pending deliveries fail',
        },
      },
    )
    .post(
      '/:id/test',
      async ({ params, request }) => await webhooks.test(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        rate: 'test',
        params: EndpointId,
        body: NoBody,
        response: answers(EndpointTested, 400, 401, 404, 429),
        detail: { operationId: 'webhooks.test', summary: 'Sends a test event now, once' },
      },
    )
    .post(
      '/:id/rotate',
      async ({ params, body, request }) =>
        await webhooks.rotate(knownCaller(request).userId, params.id, body),
      {
        ...ownerOnly,
        params: EndpointId,
        body: documentedBody(Rotation),
        response: answers(SecretRotated, 400, 401, 404, 429),
        detail: {
          operationId: 'webhooks.rotate',
          summary: 'Replaces the signing secret; the old one stays valid for a while',
        },
      },
    )
    .post(
      '/:id/resume',
      async ({ params, request }) => await webhooks.resume(knownCaller(request).userId, params.id),
      {
        ...ownerOnly,
        params: EndpointId,
        body: NoBody,
        response: answers(EndpointSchema, 400, 401, 404, 429),
        detail: { operationId: 'webhooks.resume', summary: 'Resumes a paused endpoint' },
      },
    )

/** Routes of the deliveries to an endpoint. */
export const endpointDeliveryRoutes = (webhooks: WebhooksService) =>
  new Elysia({ prefix: '/api/webhook-endpoints', tags: ['webhooks'], adapter })
    .use(routePolicies)
    .get(
      '/:id/deliveries',
      async ({ params, request, query: { status, event, since, limit, cursor } }) =>
        await webhooks.deliveries(
          knownCaller(request).userId,
          params.id,
          { status, event, since },
          { limit, cursor },
        ),
      {
        ...ownerOnly,
        params: EndpointId,
        query: query({
          status: param.oneOf(DELIVERY_STATUSES, null, { description: 'deliveries in this state' }),
          event: param.oneOf(EVENT_NAMES, null, { description: 'deliveries of this event' }),
          since: param.instant('created at this time or later'),
          ...paging,
        }),
        response: answers(DeliveryPage, 400, 401, 404, 429),
        detail: {
          operationId: 'webhooks.deliveries',
          summary: 'Deliveries to an endpoint, newest first',
        },
      },
    )
    .get(
      '/:id/deliveries/:deliveryId',
      async ({ params, request }) =>
        await webhooks.delivery(knownCaller(request).userId, params.id, params.deliveryId),
      {
        ...ownerOnly,
        params: DeliveryId,
        response: answers(DeliveryDetail, 401, 404, 429),
        detail: {
          operationId: 'webhooks.delivery',
          summary: 'A delivery with its body and attempts',
        },
      },
    )
    .post(
      '/:id/deliveries/:deliveryId/replay',
      async ({ params, request, status }) =>
        status(
          202,
          await webhooks.replayOne(knownCaller(request).userId, params.id, params.deliveryId),
        ),
      {
        ...ownerOnly,
        params: DeliveryId,
        body: NoBody,
        response: responses({ 202: DeliverySchema, ...failures(400, 401, 404, 409, 429) }),
        detail: { operationId: 'webhooks.delivery.replay', summary: 'Sends a delivery again' },
      },
    )
    .post(
      '/:id/replay',
      async ({ params, body, request, status }) =>
        status(202, await webhooks.replayAll(knownCaller(request).userId, params.id, body)),
      {
        ...ownerOnly,
        params: EndpointId,
        body: documentedBody(ReplayRange),
        response: responses({ 202: DeliveriesQueued, ...failures(400, 401, 404, 409, 429) }),
        detail: {
          operationId: 'webhooks.replay',
          summary: 'Sends the failed deliveries of a period again',
        },
      },
    )
