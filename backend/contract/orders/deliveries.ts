import { t } from 'elysia'
import type { Static } from 'elysia'
import { ALERT_CHANNELS } from '../../domain/alerts/alert-rule.ts'
import { DELIVERY_STATUSES, EVENT_NAMES } from '../../domain/webhooks/delivery.ts'
import { describedEnum, Iso, nullable, PageInfo, stringEnum } from '../schemas.ts'

export const DeliverySchema = t.Object({
  id: t.String({ description: 'del_…' }),
  eventId: t.String({ description: 'evt_…, one for all channels and endpoints' }),
  event: nullable(
    describedEnum(
      EVENT_NAMES,
      'null for a notice that is no event, such as that of a paused endpoint',
    ),
  ),
  channel: stringEnum(ALERT_CHANNELS),
  endpointId: nullable(t.String()),
  ruleId: nullable(t.String()),
  status: describedEnum(
    DELIVERY_STATUSES,
    'suppressed: a replay of history sends nothing to other machines',
  ),
  attempts: t.Integer({ description: 'attempts so far' }),
  nextAttemptAt: nullable(Iso),
  lastStatus: nullable(t.Integer({ description: 'HTTP status of the last attempt' })),
  lastError: nullable(t.String()),
  test: t.Boolean(),
  replayOf: t.Integer({ description: 'times it was sent again' }),
  message: t.String({ description: 'the text of the notice' }),
  ticker: nullable(t.String()),
  createdAt: Iso,
  finishedAt: nullable(Iso),
})
export type ServedDelivery = Static<typeof DeliverySchema>

export const DeliveryPage = t.Object({ data: t.Array(DeliverySchema), pageInfo: PageInfo })
export type DeliveryPage = Static<typeof DeliveryPage>
