import { t } from 'elysia'
import type { Static } from 'elysia'
import { StatusEnum, VenueEnum } from '../market.ts'
import { Cents, Iso, nullable, Num, PageInfo, stringEnum } from '../schemas.ts'
import {
  ALERT_CHANNELS,
  ALERT_CONDITIONS,
  ALERT_STATES,
  PAUSE_REASONS,
  WATCHED_KINDS,
  WATCHED_STATES,
} from '../../domain/alerts/alert-rule.ts'

export const AlertRuleSchema = t.Object({
  id: t.String(),
  objectId: t.String(),
  ticker: nullable(t.String()),
  label: t.String(),
  condition: stringEnum(ALERT_CONDITIONS),
  threshold: nullable(t.Number({ description: 'cents of YES for price conditions' })),
  match: nullable(t.String()),
  windowSeconds: t.Integer({ description: 'minimum time between two firings' }),
  channel: stringEnum(ALERT_CHANNELS),
  endpointId: nullable(t.String()),
  target: nullable(t.String()),
  state: stringEnum(ALERT_STATES),
  pausedReason: nullable(stringEnum(PAUSE_REASONS)),
  conditionTrue: t.Boolean(),
  fireCount: t.Integer(),
  failureCount: t.Integer({ description: 'failed deliveries in a row' }),
  lastFiredAt: nullable(Iso),
  lastEvaluatedAt: nullable(Iso),
  createdAt: Iso,
  updatedAt: Iso,
})
export type ServedAlertRule = Static<typeof AlertRuleSchema>

const WatchedSnapshot = t.Object({
  priceCents: Cents,
  volume24h: Num,
  regimeLabel: nullable(t.String()),
  status: nullable(StatusEnum),
  summary: t.String(),
  asOf: Iso,
})

export const WatchedSchema = t.Object({
  id: t.String(),
  kind: stringEnum(WATCHED_KINDS),
  ref: t.String(),
  label: t.String(),
  venue: nullable(VenueEnum),
  note: nullable(t.String()),
  state: stringEnum(WATCHED_STATES),
  rules: t.Array(AlertRuleSchema),
  ruleCount: t.Integer(),
  snapshot: nullable(WatchedSnapshot),
  lastRefreshedAt: nullable(Iso),
  createdAt: Iso,
  updatedAt: Iso,
})
export type ServedWatched = Static<typeof WatchedSchema>

/** A watched object, with the rule that the request created. */
export const WatchCreated = t.Object({
  ...WatchedSchema.properties,
  rule: t.Optional(AlertRuleSchema),
})
export type WatchCreated = Static<typeof WatchCreated>

export const WatchedPage = t.Object({
  data: t.Array(WatchedSchema),
  objects: t.Array(WatchedSchema),
  pageInfo: PageInfo,
})
export type WatchedPage = Static<typeof WatchedPage>

export const AlertRulePage = t.Object({
  data: t.Array(AlertRuleSchema),
  rules: t.Array(AlertRuleSchema),
  pageInfo: PageInfo,
})
export type AlertRulePage = Static<typeof AlertRulePage>

export const WatchCandidates = t.Object({
  candidates: t.Array(
    t.Object({
      kind: stringEnum(WATCHED_KINDS),
      ref: t.String(),
      label: t.String(),
      venue: nullable(VenueEnum),
      confidence: t.Number(),
    }),
  ),
})
export type WatchCandidates = Static<typeof WatchCandidates>

export const AlertTested = t.Object({
  ok: t.Boolean(),
  deliveryId: t.String(),
  channel: stringEnum(ALERT_CHANNELS),
  message: t.String(),
})
export type AlertTested = Static<typeof AlertTested>

export const WatchRemoved = t.Object({ ok: t.Literal(true) })
