import { t } from 'elysia'
import type { Static } from 'elysia'
import { EVENT_NAMES } from '../../domain/webhooks/delivery.ts'
import { ENDPOINT_PAUSE_REASONS, ENDPOINT_STATES } from '../../domain/webhooks/endpoint.ts'
import { Iso, nullable, Num, PageInfo, stringEnum } from '../schemas.ts'
import { DeliverySchema } from './deliveries.ts'

const Events = t.Array(stringEnum(EVENT_NAMES))

export const NewEndpoint = t.Object({
  url: t.String({ description: 'https address on a public host, at most 2,048 characters' }),
  label: t.Optional(t.String({ description: 'at most 120 characters; the host name by default' })),
  events: t.Optional(Events),
})
export const EndpointChange = t.Object({
  url: t.Optional(t.String({ description: 'a new address keeps the secret' })),
  label: t.Optional(t.String()),
  events: t.Optional(Events),
  state: t.Optional(stringEnum(['active', 'paused'])),
})
export const Rotation = t.Object({
  graceSeconds: t.Optional(
    t.Integer({ description: '0 to 604,800, default 86,400: how long the old secret stays valid' }),
  ),
})
export const ReplayRange = t.Object({
  since: t.String({ description: 'ISO 8601 time, or <n>m, <n>h, <n>d before now' }),
  until: t.Optional(t.String({ description: 'ISO 8601 time; now by default' })),
})

export const EndpointSchema = t.Object({
  id: t.String({ description: 'we_…' }),
  url: t.String(),
  label: t.String(),
  events: Events,
  state: stringEnum(ENDPOINT_STATES),
  pausedReason: nullable(stringEnum(ENDPOINT_PAUSE_REASONS)),
  thesisId: nullable(t.String({ description: 'the thesis that manages the endpoint' })),
  stats24h: t.Object({
    attempts: t.Integer(),
    delivered: t.Integer({ description: 'attempts answered with 2xx' }),
    http5xx: t.Integer({ description: 'attempts answered with 5xx' }),
    networkErrors: t.Integer({ description: 'attempts without a response' }),
    failureRate: Num,
  }),
  previousSecretExpiresAt: nullable(Iso),
  lastDeliveryAt: nullable(Iso),
  lastStatus: nullable(t.Integer({ description: 'HTTP status of the last attempt' })),
  createdAt: Iso,
  updatedAt: Iso,
})
export type ServedEndpoint = Static<typeof EndpointSchema>

export const EndpointCreated = t.Object({
  ...EndpointSchema.properties,
  secret: t.String({ description: 'signs deliveries; it is shown here only' }),
})
export type EndpointCreated = Static<typeof EndpointCreated>

export const EndpointPage = t.Object({
  data: t.Array(EndpointSchema),
  endpoints: t.Array(EndpointSchema),
  pageInfo: PageInfo,
})
export type EndpointPage = Static<typeof EndpointPage>

export const EndpointRemoved = t.Object({ ok: t.Literal(true) })

export const EndpointTested = t.Object({
  ok: t.Boolean({ description: 'the receiver answered with 2xx' }),
  deliveryId: t.String(),
  status: nullable(t.Integer()),
  durationMs: t.Integer(),
  error: nullable(t.String()),
})
export type EndpointTested = Static<typeof EndpointTested>

export const SecretRotated = t.Object({
  id: t.String(),
  secret: t.String({ description: 'signs deliveries from now on; it is shown here only' }),
  previousSecretExpiresAt: nullable(Iso),
})
export type SecretRotated = Static<typeof SecretRotated>

export const AttemptSchema = t.Object({
  n: t.Integer({ description: 'number of the attempt, from 1' }),
  at: Iso,
  status: nullable(t.Integer()),
  error: nullable(t.String()),
  durationMs: t.Integer(),
  responseExcerpt: nullable(t.String({ description: 'the first kilobyte of the response' })),
})

export const DeliveryDetail = t.Object({
  ...DeliverySchema.properties,
  body: t.Record(t.String(), t.Unknown(), { description: 'as sent at each attempt' }),
  attemptLog: t.Array(AttemptSchema),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const DeliveriesQueued = t.Object({ queued: t.Integer() })
export type DeliveriesQueued = Static<typeof DeliveriesQueued>
