import { t } from 'elysia'
import type { Static, TSchema } from 'elysia'
import { ALERT_CHANNELS, ALERT_CONDITIONS, WATCHED_KINDS } from '../../domain/alerts/alert-rule.ts'
import { EXECUTION_MODES } from '../../domain/portfolio/config.ts'
import type { EventName } from '../../domain/webhooks/delivery.ts'
import { Cents, describedEnum, Iso, nullable, Num, stringEnum } from '../schemas.ts'

const Text = nullable(t.String())
const Money = nullable(t.Integer({ description: 'cents' }))
const Chance = t.Number({ description: 'probability, 0 to 1' })

/** The item that an alert on news, releases or government actions fired for. */
export const AlertItem = t.Object({
  title: t.String(),
  source: t.String(),
  url: Text,
  at: Iso,
})
export type AlertItem = Static<typeof AlertItem>

export const AlertFired = t.Object({
  ruleId: nullable(t.String({ description: 'ar_…; null in a test of an endpoint' })),
  watchedObjectId: nullable(t.String({ description: 'wo_…' })),
  ticker: Text,
  condition: stringEnum(ALERT_CONDITIONS),
  threshold: Num,
  rule: nullable(
    t.Object({
      id: t.String(),
      label: t.String(),
      condition: stringEnum(ALERT_CONDITIONS),
      threshold: Num,
      match: Text,
      windowSeconds: t.Integer(),
      channel: stringEnum(ALERT_CHANNELS),
    }),
  ),
  watchedObject: nullable(
    t.Object({
      id: t.String(),
      kind: stringEnum(WATCHED_KINDS),
      ref: t.String(),
      label: t.String(),
    }),
  ),
  snapshot: t.Object({
    priceCents: Cents,
    volume24h: Num,
    regimeLabel: Text,
    item: nullable(AlertItem),
    late: t.Boolean({ description: 'the price was reached while the service was off' }),
  }),
  firedAt: Iso,
  test: t.Boolean(),
})
export type AlertFired = Static<typeof AlertFired>

export const AlertPaused = t.Object({
  ruleId: t.String({ description: 'ar_…' }),
  watchedObjectId: t.String({ description: 'wo_…' }),
  reason: t.Literal('endpoint_consecutive_failures'),
  failureCount: t.Integer({ description: 'failed firings in a row' }),
  pausedAt: Iso,
})
export type AlertPaused = Static<typeof AlertPaused>

export const ConfidenceChanged = t.Object({
  thesisId: t.String(),
  title: t.String(),
  previousConfidence: t.Number({ description: 'the value last announced, 0 to 1' }),
  currentConfidence: Chance,
  delta: t.Number({ description: 'current minus previous, a fraction' }),
  trigger: stringEnum(['monitor_cycle', 'signal', 'evaluation']),
  evaluationId: t.String({ description: 'ev_…' }),
  summary: t.String(),
})
export type ConfidenceChanged = Static<typeof ConfidenceChanged>

export const ThesisKilled = t.Object({
  thesisId: t.String(),
  title: t.String(),
  reason: t.Literal('kill_flag_raised'),
  evaluation: t.Object({
    id: t.String({ description: 'ev_…' }),
    confidence: nullable(Chance),
    summary: t.String(),
    killConditions: t.Array(
      t.Object({
        nodeId: t.String(),
        text: t.String(),
        triggered: t.Boolean(),
        evidence: Text,
      }),
    ),
  }),
  killedAt: Iso,
})
export type ThesisKilled = Static<typeof ThesisKilled>

export const TickCompleted = t.Object({
  tickId: t.String({ description: 'pt_…' }),
  tickAt: Iso,
  status: stringEnum(['running', 'completed', 'failed', 'skipped', 'interrupted']),
  trigger: stringEnum(['schedule', 'manual', 'intent', 'reconcile', 'external']),
  executionMode: stringEnum(EXECUTION_MODES),
  mode: nullable(describedEnum(['paper', 'live'], 'null when the tick was skipped')),
  actionsCount: t.Integer({ description: 'entries and exits decided' }),
  balanceCents: Money,
  exposureCents: Money,
  tickDurationMs: nullable(t.Number()),
})
export type TickCompleted = Static<typeof TickCompleted>

export const HaltTriggered = t.Object({
  drawdownCents: t.Integer({ description: 'cents below the highest equity' }),
  haltCapCents: t.Integer({ description: 'maxDrawdownHaltCents of the config' }),
  previousExecutionMode: stringEnum(EXECUTION_MODES),
  newExecutionMode: t.Literal('halted'),
  equityCents: t.Integer({ description: 'cents' }),
  peakEquityCents: t.Integer({ description: 'cents' }),
  haltedAt: Iso,
})
export type HaltTriggered = Static<typeof HaltTriggered>

/** `data` of each event. */
const EVENT_DATA = {
  'alert.fired': AlertFired,
  'alert.paused': AlertPaused,
  'thesis.confidence_changed': ConfidenceChanged,
  'thesis.killed': ThesisKilled,
  'portfolio.tick_completed': TickCompleted,
  'portfolio.halt_triggered': HaltTriggered,
} as const satisfies Record<EventName, TSchema>

/** When each event is sent, for the OpenAPI document. */
const EVENT_SUMMARIES: Readonly<Record<EventName, string>> = {
  'alert.fired': 'An alert rule fired',
  'alert.paused': 'An alert rule was paused after five failed firings in a row',
  'thesis.confidence_changed':
    'The confidence of a thesis moved by 0.05 or more since it was last announced',
  'thesis.killed': 'An evaluation found a kill condition of a thesis to be true',
  'portfolio.tick_completed': 'An autopilot tick finished',
  'portfolio.halt_triggered': 'The drawdown halt stopped the autopilot',
}

/** The events with the body that each delivers. */
export const WEBHOOK_EVENTS = (Object.keys(EVENT_DATA) as EventName[]).map((name) => ({
  name,
  summary: EVENT_SUMMARIES[name],
  body: t.Object({
    id: t.String({ description: 'evt_…, equal at all endpoints' }),
    type: t.Literal(name),
    createdAt: Iso,
    deliveryId: t.String({ description: 'del_…, the same at every attempt and replay' }),
    endpointId: t.String({ description: 'we_…' }),
    data: EVENT_DATA[name],
    truncated: t.Optional(
      t.Literal(true, { description: 'texts were cut so that the body has at most 20 kB' }),
    ),
  }),
}))
