import { WEBHOOK_EVENTS } from '../../contract/orders/webhook-events.ts'
import type { Json, SchemaPublisher } from './openapi-schemas.ts'

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
const HEADERS = [
  header('X-SVC-Signature', '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`'),
  header('X-SVC-Endpoint-Id', 'endpoint, we_…'),
  header('X-SVC-Delivery-Id', 'del_…, the same at every attempt and replay'),
  header('X-SVC-Event', 'name of the event'),
]
const RESPONSES = {
  '2XX': { description: 'delivered' },
  '410': { description: 'not delivered; the endpoint is paused' },
  default: { description: 'not delivered; retried after 1, 4, 16, 64 and 256 s' },
}

/** The events that endpoints receive, as the `webhooks` of an OpenAPI document. */
export const webhooksOf = ({ publish }: SchemaPublisher): Json =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map(({ name, summary, body }) => [
      name,
      {
        post: {
          operationId: name,
          summary,
          tags: ['webhooks'],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: publish({ ...body }) } },
          },
          responses: RESPONSES,
        },
      },
    ]),
  )
