import type { DeliveryPage } from '../../backend/contract/orders/deliveries.ts'
import type { DeliveryDetail, EndpointPage } from '../../backend/contract/orders/webhooks.ts'
import type { DeliveryStatus } from '../../backend/domain/webhooks/delivery.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf, targetOf, type Path } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000

/** The user's webhook endpoints, newest first. */
export const webhookEndpoints: PolledQuery<EndpointPage> = {
  path: pathOf('/api/webhook-endpoints', { limit: 200 }),
  ...USER_QUERY,
  interval: 10 * SECOND,
}

/** A page of deliveries to an endpoint; the newest one without a cursor. */
export const deliveriesPath = (
  id: string,
  status: DeliveryStatus | null,
  cursor: string | null,
): Path<DeliveryPage> =>
  pathOf('/api/webhook-endpoints/:id/deliveries', { id, status, limit: 200, cursor })

/** The newest deliveries to an endpoint. */
export const endpointDeliveries = (
  id: string,
  status: DeliveryStatus | null,
): PolledQuery<DeliveryPage> => ({
  path: deliveriesPath(id, status, null),
  ...USER_QUERY,
  interval: 5 * SECOND,
})

/** A delivery with its body and attempts. */
export const deliveryDetail = (id: string, deliveryId: string): PolledQuery<DeliveryDetail> => ({
  path: pathOf('/api/webhook-endpoints/:id/deliveries/:deliveryId', { id, deliveryId }),
  ...USER_QUERY,
  interval: 5 * SECOND,
})

export const createRoute = '/api/webhook-endpoints'
export const endpointRoute = (id: string) => targetOf('/api/webhook-endpoints/:id', { id })
export const testRoute = (id: string) => targetOf('/api/webhook-endpoints/:id/test', { id })
export const rotateRoute = (id: string) => targetOf('/api/webhook-endpoints/:id/rotate', { id })
export const resumeRoute = (id: string) => targetOf('/api/webhook-endpoints/:id/resume', { id })
export const replayRoute = (id: string, deliveryId: string) =>
  targetOf('/api/webhook-endpoints/:id/deliveries/:deliveryId/replay', { id, deliveryId })
