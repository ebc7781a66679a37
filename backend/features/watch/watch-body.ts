import {
  ALERT_CHANNELS,
  ALERT_CONDITIONS,
  ALERT_STATES,
  ALERT_WINDOW_S,
  DEFAULT_ALERT_WINDOW_S,
  isPriceRule,
  priceRuleLabel,
  WATCHED_KINDS,
  WATCHED_STATES,
  type AlertRule,
  type WatchedKind,
  type WatchedObject,
} from '../../domain/alerts/alert-rule.ts'
import type { Millis } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput, NotConfigured } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'

const LONGEST_LABEL = 120
const LONGEST_NOTE = 2_000
const LONGEST_REF = 300
const LONGEST_TARGET = 254
/** One address, without a name; or a number or public name of a chat. */
const TARGETS = {
  email: /^[^\s@,;:<>()"[\]\\]+@[^\s@,;:<>()"[\]\\]+$/,
  telegram: /^(-?\d{1,20}|@\w{3,64})$/,
}

/** The object that a body names: `{ ticker }` or `{ kind, ref }`. @throws InvalidInput */
export function watchedIn(body: unknown): { readonly kind: WatchedKind; readonly ref: string } {
  const fields = new BodyFields(body)
  const ticker = fields.text('ticker', { min: 1, max: 200 })
  if (typeof ticker === 'string') return { kind: 'market', ref: ticker }
  const kind = fields.word('kind', WATCHED_KINDS)
  if (kind === undefined) throw new InvalidInput('ticker, or kind and ref, is required')
  const ref = fields.text('ref', { min: 1, max: LONGEST_REF })
  if (typeof ref !== 'string') throw new InvalidInput('ref is required')
  return { kind, ref }
}

/** Label and note of a body; undefined when not sent. */
export function textsIn(body: unknown): Partial<Pick<WatchedObject, 'label' | 'note'>> {
  const fields = new BodyFields(body)
  const label = fields.text('label', { min: 1, max: LONGEST_LABEL })
  const note = fields.text('note', { max: LONGEST_NOTE })
  return {
    ...(typeof label === 'string' && { label }),
    ...(note !== undefined && { note: note === '' ? null : note }),
  }
}

/** The object with the changes of a body. @throws InvalidInput */
export function changedObject(body: unknown, object: WatchedObject, now: Millis): WatchedObject {
  const state = new BodyFields(body).word('state', WATCHED_STATES)
  const texts = textsIn(body)
  if (state === undefined && Object.keys(texts).length === 0) {
    throw new InvalidInput('No valid fields to update')
  }
  return { ...object, ...texts, state: state ?? object.state, updatedAt: now }
}

/** Whether a body describes a rule. */
export const namesRule = (body: unknown): boolean => new BodyFields(body).has('condition')

/**
 * A new rule of an object. @throws InvalidInput; NotConfigured
 * for a condition or channel that the service cannot evaluate or reach yet
 */
export function newRule(body: unknown, object: WatchedObject, now: Millis): AlertRule {
  const fields = new BodyFields(body)
  const condition = fields.word('condition', ALERT_CONDITIONS)
  if (condition === undefined) throw new InvalidInput('condition is required')
  if (!isPriceRule({ condition })) {
    throw new NotConfigured(`${condition} needs a source of items that is not set up yet`)
  }
  if (object.kind !== 'market') throw new InvalidInput(`condition ${condition} needs a market`)
  const threshold = fields.number('threshold', { min: 0, max: 100 })
  if (typeof threshold !== 'number') throw new InvalidInput('threshold is required in cents')
  const label = fields.text('label', { max: LONGEST_LABEL })
  return {
    id: newId('ar', now),
    userId: object.userId,
    objectId: object.id,
    ticker: object.ref,
    label: typeof label === 'string' && label !== '' ? label : priceRuleLabel(condition, threshold),
    condition,
    threshold,
    match: null,
    windowSeconds: windowIn(fields) ?? DEFAULT_ALERT_WINDOW_S,
    ...channelIn(fields),
    state: 'active',
    pausedReason: null,
    conditionTrue: false,
    fireCount: 0,
    suppressedCount: 0,
    failureCount: 0,
    lastFiredAt: null,
    lastEvaluatedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** The rule with the changes of a body. A changed condition is evaluated from the start. */
export function changedRule(body: unknown, rule: AlertRule, now: Millis): AlertRule {
  const fields = new BodyFields(body)
  const names = ['condition', 'threshold', 'windowSeconds', 'label', 'state', 'channel', 'target']
  if (!fields.has(...names)) throw new InvalidInput('No valid fields to update')
  const condition = fields.word('condition', ALERT_CONDITIONS) ?? rule.condition
  if (!isPriceRule({ condition })) {
    throw new NotConfigured(`${condition} needs a source of items that is not set up yet`)
  }
  const threshold = fields.number('threshold', { min: 0, max: 100 })
  if (threshold === null) throw new InvalidInput('threshold is required in cents')
  const label = fields.text('label', { min: 1, max: LONGEST_LABEL })
  const state = fields.word('state', ALERT_STATES) ?? rule.state
  const next: AlertRule = {
    ...rule,
    condition,
    threshold: threshold ?? rule.threshold,
    label: label ?? rule.label,
    windowSeconds: windowIn(fields) ?? rule.windowSeconds,
    ...(fields.has('channel', 'target') ? channelIn(fields, rule.channel) : {}),
    state,
    pausedReason: state === 'paused' ? (rule.pausedReason ?? 'user') : null,
    failureCount: state === 'active' ? 0 : rule.failureCount,
    updatedAt: now,
  }
  const isSame = next.condition === rule.condition && next.threshold === rule.threshold
  const isNamed = rule.label !== priceRuleLabel(rule.condition, rule.threshold ?? 0)
  return {
    ...next,
    conditionTrue: isSame && rule.conditionTrue,
    label:
      label === undefined && !isNamed
        ? priceRuleLabel(next.condition, next.threshold ?? 0)
        : next.label,
  }
}

/** Whether two rules of an object would always fire together. */
export const isEqualRule = (one: AlertRule, other: AlertRule): boolean =>
  one.condition === other.condition &&
  one.threshold === other.threshold &&
  one.match === other.match &&
  one.channel === other.channel &&
  one.endpointId === other.endpointId &&
  one.target === other.target &&
  one.state !== 'archived'

function windowIn(fields: BodyFields): number | undefined {
  return fields.number('windowSeconds', { ...ALERT_WINDOW_S, whole: true }) ?? undefined
}

function channelIn(
  fields: BodyFields,
  known: AlertRule['channel'] = 'desktop',
): Pick<AlertRule, 'channel' | 'endpointId' | 'target'> {
  const channel = fields.word('channel', ALERT_CHANNELS) ?? known
  if (channel === 'webhook') {
    const endpointId = fields.text('endpointId', { min: 1, max: 64 })
    if (typeof endpointId !== 'string') {
      throw new InvalidInput('endpointId is required for channel webhook')
    }
    return { channel, endpointId, target: null }
  }
  if (channel === 'desktop') return { channel, endpointId: null, target: null }
  const target = fields.text('target', { min: 1, max: LONGEST_TARGET }) ?? null
  if (target !== null && !TARGETS[channel].test(target)) {
    throw new InvalidInput(
      channel === 'email' ? 'target must be an email address' : 'target must be the id of a chat',
    )
  }
  return { channel, endpointId: null, target }
}
