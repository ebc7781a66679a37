import { DAY, MINUTE, type Millis } from '../units.ts'
import type { EventName } from './delivery.ts'

export const ENDPOINT_STATES = ['active', 'degraded', 'paused'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]
export const ENDPOINT_PAUSE_REASONS = ['user', 'failure_rate', 'gone'] as const

/** A secret encrypted with the key of the installation. */
export interface SealedSecret {
  readonly sealed: string
  /** When it ends; null for the current one. */
  readonly endsAt: Millis | null
}

/** A webhook endpoint of a user; contract/theses-portfolio.md 6. */
export interface WebhookEndpoint {
  readonly id: string
  readonly userId: string
  readonly url: string
  readonly label: string
  readonly events: readonly EventName[]
  /** The thesis that manages it, and whose events alone it receives; null for any other. */
  readonly thesisId: string | null
  readonly state: EndpointState
  readonly pausedReason: (typeof ENDPOINT_PAUSE_REASONS)[number] | null
  /** The current secret, and the one before until it ends. */
  readonly secrets: readonly SealedSecret[]
  /** Attempts before this time no longer count: the endpoint was resumed. */
  readonly windowFrom: Millis
  readonly lastDeliveryAt: Millis | null
  readonly lastStatus: number | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** An endpoint as it was stored, also by a version whose theses managed none. */
export function storedEndpoint({ record }: { readonly record: string }): WebhookEndpoint {
  const endpoint = JSON.parse(record) as Omit<WebhookEndpoint, 'thesisId'> &
    Partial<Pick<WebhookEndpoint, 'thesisId'>>
  return { ...endpoint, thesisId: endpoint.thesisId ?? null }
}

/** The sliding window of an endpoint's statistics. */
export const HEALTH_WINDOW: Millis = DAY
/** How often states are judged without an attempt. */
export const HEALTH_INTERVAL = 10 * MINUTE
const MIN_ATTEMPTS = 10
const DEGRADED_FROM = 0.2
const PAUSED_ABOVE = 0.5

/** Attempts of an endpoint within the window, tests left out. */
export interface EndpointStats {
  readonly attempts: number
  /** Attempts that were answered with 2xx. */
  readonly delivered: number
  /** Attempts that were answered with 5xx. */
  readonly http5xx: number
  /** Attempts without a response: time-outs, TLS and network errors. */
  readonly networkErrors: number
  /** Deliveries that were attempted. */
  readonly deliveries: number
  /** Deliveries whose latest attempt was answered with 5xx. */
  readonly deliveries5xx: number
}

/** Share of attempts that failed with 5xx or without a response; null without attempts. */
export const failureRate = ({ attempts, http5xx, networkErrors }: EndpointStats): number | null =>
  attempts === 0 ? null : (http5xx + networkErrors) / attempts

/**
 * The state of an endpoint by its statistics. Fewer than ten attempts leave it as it is; a paused
 * one stays paused until its user resumes it.
 */
export function updateState(endpoint: WebhookEndpoint, stats: EndpointStats): WebhookEndpoint {
  if (endpoint.state === 'paused' || stats.attempts < MIN_ATTEMPTS) return endpoint
  if (stats.deliveries5xx / stats.deliveries > PAUSED_ABOVE) {
    return { ...endpoint, state: 'paused', pausedReason: 'failure_rate' }
  }
  const isDegraded = (failureRate(stats) ?? 0) >= DEGRADED_FROM
  return { ...endpoint, state: isDegraded ? 'degraded' : 'active' }
}

/** The endpoint after a person resumed it: its window starts empty. */
export const resumeEndpoint = (endpoint: WebhookEndpoint, now: Millis): WebhookEndpoint =>
  endpoint.state === 'active'
    ? endpoint
    : { ...endpoint, state: 'active', pausedReason: null, windowFrom: now, updatedAt: now }
