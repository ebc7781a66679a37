import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../../backend/contract/orders/webhooks.ts'
import {
  ENDPOINT_DELETED,
  ENDPOINT_PAUSED,
  EVENT_NAMES,
  INTERRUPTED,
  type DeliveryStatus,
  type EventName,
} from '../../../backend/domain/webhooks/delivery.ts'
import type { ApiFailure } from '../../api/client.ts'
import { MISSING } from '../../lib/format.ts'
import { refusalLabel } from '../account/refusal-labels.ts'

export const EVENT_HELP: Readonly<Record<EventName, string>> = {
  'alert.fired': 'an alert fired',
  'alert.paused': 'an alert was paused after failed deliveries',
  'thesis.confidence_changed': 'the confidence of a thesis changed',
  'thesis.killed': 'a kill condition of a thesis was met',
  'portfolio.tick_completed': 'the autopilot completed a run',
  'portfolio.halt_triggered': 'trading was halted by the drawdown limit',
}

export const STATUS_TONES = {
  pending: 'info',
  delivered: 'accent',
  failed: 'error',
  suppressed: 'plain',
} as const satisfies Readonly<Record<DeliveryStatus, string>>

type EndpointState = Pick<ServedEndpoint, 'state' | 'pausedReason'>
const PAUSE_TEXTS = {
  user: 'paused by you',
  failure_rate: 'paused: too many errors',
  gone: 'paused: gone (410)',
} as const

/** State of an endpoint as text, with the reason of a pause. */
export const stateText = ({ state, pausedReason }: EndpointState): string =>
  state === 'paused' && pausedReason !== null ? PAUSE_TEXTS[pausedReason] : state

/** Meaning of the state, as a sentence. */
export function stateHelp({ state, pausedReason }: EndpointState): string {
  if (state === 'active') return 'Events are delivered.'
  if (state === 'degraded') {
    return 'At least 20% of the attempts in the last 24 hours failed. Events are still delivered.'
  }
  if (pausedReason === 'failure_rate') {
    return 'More than half of the deliveries in 24 hours were answered with a server error (5xx). Resume it when the receiver works.'
  }
  if (pausedReason === 'gone') {
    return 'The receiver answered 410 Gone. Resume it when the address accepts deliveries again.'
  }
  return 'No events are delivered until it is resumed.'
}

/** Host of an address, with a port other than 443. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

export function eventsText(events: readonly EventName[]): string {
  if (events.length === EVENT_NAMES.length) return 'all'
  return events.join(', ')
}

/** HTTP status of the last attempt; an attempt without a response is stated. */
export function lastStatusText({
  lastDeliveryAt,
  lastStatus,
}: Pick<ServedEndpoint, 'lastDeliveryAt' | 'lastStatus'>): string {
  if (lastDeliveryAt === null) return MISSING
  return lastStatus === null ? 'no response' : String(lastStatus)
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  [ENDPOINT_PAUSED]: 'the endpoint was paused',
  [ENDPOINT_DELETED]: 'the endpoint was deleted',
  [INTERRUPTED]: 'the service stopped during the attempt',
}

/** Why the last attempt failed; null when it did not. */
export const errorText = ({ lastError }: Pick<ServedDelivery, 'lastError'>): string | null =>
  lastError === null ? null : (ERROR_TEXTS[lastError] ?? lastError)

/** Whether a delivery has ended and may be sent again. */
export const mayReplay = ({ status }: Pick<ServedDelivery, 'status'>): boolean =>
  status === 'delivered' || status === 'failed'

const URL_REFUSED = /^url refused: /
const URL_TEXTS: Readonly<Record<string, string>> = {
  'url must use https': 'Enter an address that starts with https://.',
  'url is not an address': 'Enter an address that starts with https://.',
  'address is not public': 'The address is not public. Webhooks reach public addresses only.',
  'name is local': 'The host is local. Webhooks reach public addresses only.',
  'name has no dot': 'The host is local. Webhooks reach public addresses only.',
  'url must not hold credentials': 'Remove the user name and password from the address.',
  'url must not have a fragment': 'Remove the part after # from the address.',
}
const BY_MESSAGE: Readonly<Record<string, string>> = {
  'endpoint is paused': 'The endpoint is paused. Resume it first.',
  'delivery is still pending': 'This delivery is still pending.',
  'url is required': 'Enter an address that starts with https://.',
  'an endpoint with this label and url exists':
    'An endpoint with this label and URL exists. Change the label.',
  'at most 20 endpoints may exist: delete one first':
    'You have 20 endpoints, which is the limit. Remove one first.',
}

/** Why the service rejected a write about an endpoint, and what to do. */
export function webhookRefusal(failure: ApiFailure): string {
  if (failure.code === 'URL_REFUSED') {
    const reason = failure.message.replace(URL_REFUSED, '')
    return URL_TEXTS[reason] ?? `The address was refused: ${reason}.`
  }
  return BY_MESSAGE[failure.message] ?? refusalLabel(failure)
}
