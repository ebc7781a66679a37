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
import {
  DEFAULT_SIMILARITY,
  ITEM_CONDITIONS,
  type ItemCondition,
} from '../../domain/alerts/alert-item.ts'
import type { Millis } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput, NotConfigured } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'

const MAX_LABEL_LENGTH = 120
const MAX_NOTE_LENGTH = 2_000
const MAX_REF_LENGTH = 300
const MAX_MATCH_LENGTH = 500
const WITHOUT_SOURCE: Readonly<Record<ItemCondition, string>> = {
  econ_release: 'economic releases',
  gov_action: 'government actions',
  semantic_match: 'news',
}
const ITEM_LABELS = {
  econ_release: 'Release:',
  gov_action: 'Government:',
  semantic_match: 'Like',
} as const
const MAX_TARGET_LENGTH = 254
/** One address, without a name; or a number or public name of a chat. */
const TARGETS = {
  email: /^[^\s@,;:<>()"[\]\\]+@[^\s@,;:<>()"[\]\\]+$/,
  telegram: /^(-?\d{1,20}|@\w{3,64})$/,
}

/** The object that a body names: `{ ticker }` or `{ kind, ref }`. @throws InvalidInput */
export function parseWatched(body: unknown): { readonly kind: WatchedKind; readonly ref: string } {
  const fields = new BodyFields(body)
  const ticker = fields.text('ticker', { min: 1, max: 200 })
  if (typeof ticker === 'string') return { kind: 'market', ref: ticker }
  const kind = fields.word('kind', WATCHED_KINDS)
  if (kind === undefined) throw new InvalidInput('ticker, or kind and ref, is required')
  const ref = fields.text('ref', { min: 1, max: MAX_REF_LENGTH })
  if (typeof ref !== 'string') throw new InvalidInput('ref is required')
  return { kind, ref }
}

/** Label and note of a body; undefined when not sent. */
export function textsIn(body: unknown): Partial<Pick<WatchedObject, 'label' | 'note'>> {
  const fields = new BodyFields(body)
  const label = fields.text('label', { min: 1, max: MAX_LABEL_LENGTH })
  const note = fields.text('note', { max: MAX_NOTE_LENGTH })
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

/** Whether some source publishes items of a condition. */
type Availability = (condition: ItemCondition) => boolean
type Condition = Pick<AlertRule, 'condition' | 'threshold' | 'match'>
type Delivery = Pick<AlertRule, 'channel' | 'endpointId' | 'target'>

/**
 * The condition of a body, with threshold and match as it needs them.
 * @param previous the condition that a body changes; null for a new rule
 * @throws InvalidInput; NotConfigured for a condition without a source of items
 */
function conditionIn(
  fields: BodyFields,
  previous: Condition | null,
  object: WatchedObject,
  isAvailable: Availability,
): Condition {
  const condition = fields.word('condition', ALERT_CONDITIONS) ?? previous?.condition
  if (condition === undefined) throw new InvalidInput('condition is required')
  const before = previous?.condition === condition ? previous : null
  if (condition === 'price_above' || condition === 'price_below') {
    if (object.kind !== 'market') throw new InvalidInput(`condition ${condition} needs a market`)
    const isPrice = previous !== null && isPriceRule(previous)
    const newThreshold = fields.number('threshold', { min: 0, max: 100 })
    const threshold = newThreshold === undefined && isPrice ? previous.threshold : newThreshold
    if (typeof threshold !== 'number') throw new InvalidInput('threshold is required in cents')
    return { condition, threshold, match: null }
  }
  if (!isAvailable(condition)) {
    throw new NotConfigured(
      `${condition} rules cannot be made: this service has no source of ${WITHOUT_SOURCE[condition]}; price_above, price_below and semantic_match work`,
    )
  }
  const { objects } = ITEM_CONDITIONS[condition]
  if (!objects.includes(object.kind)) {
    throw new InvalidInput(`condition ${condition} needs an object of kind ${objects.join(', ')}`)
  }
  const match = fields.text('match', { min: 3, max: MAX_MATCH_LENGTH }) ?? before?.match ?? null
  if (condition !== 'semantic_match') {
    const thresholdValue = fields.raw('threshold') ?? null
    if (thresholdValue !== null) throw new InvalidInput(`threshold is not allowed for ${condition}`)
    return { condition, threshold: null, match }
  }
  if (match === null) throw new InvalidInput('match is required for semantic_match')
  const threshold = fields.number('threshold', { min: 0, max: 1 })
  return { condition, threshold: threshold ?? before?.threshold ?? DEFAULT_SIMILARITY, match }
}

/** Name of a rule that was given none. */
const labelOf = ({ condition, threshold, match }: Condition, { label }: WatchedObject): string =>
  isPriceRule({ condition })
    ? priceRuleLabel(condition, threshold ?? 0)
    : `${ITEM_LABELS[condition as ItemCondition]} ${match ?? label}`.slice(0, MAX_LABEL_LENGTH)

/**
 * A new rule of an object. @throws InvalidInput; NotConfigured
 * for a condition or channel that the service cannot evaluate or reach yet
 */
export function newRule(
  body: unknown,
  object: WatchedObject,
  isAvailable: Availability,
  now: Millis,
): AlertRule {
  const fields = new BodyFields(body)
  const condition = conditionIn(fields, null, object, isAvailable)
  const label = fields.text('label', { max: MAX_LABEL_LENGTH })
  return {
    id: newId('ar', now),
    userId: object.userId,
    objectId: object.id,
    ticker: object.kind === 'market' ? object.ref : null,
    label: typeof label === 'string' && label !== '' ? label : labelOf(condition, object),
    ...condition,
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
export function changedRule(
  body: unknown,
  rule: AlertRule,
  { object, isAvailable }: { readonly object: WatchedObject; readonly isAvailable: Availability },
  now: Millis,
): AlertRule {
  const fields = new BodyFields(body)
  const names = [
    'condition',
    'threshold',
    'match',
    'windowSeconds',
    'label',
    'state',
    'channel',
    'endpointId',
    'target',
  ]
  if (!fields.has(...names)) throw new InvalidInput('No valid fields to update')
  const condition = fields.has('condition', 'threshold', 'match')
    ? conditionIn(fields, rule, object, isAvailable)
    : rule
  const label = fields.text('label', { min: 1, max: MAX_LABEL_LENGTH })
  const state = fields.word('state', ALERT_STATES) ?? rule.state
  const next: AlertRule = {
    ...rule,
    condition: condition.condition,
    threshold: condition.threshold,
    match: condition.match,
    label: label ?? rule.label,
    windowSeconds: windowIn(fields) ?? rule.windowSeconds,
    ...(fields.has('channel', 'endpointId', 'target') ? channelIn(fields, rule) : {}),
    state,
    pausedReason: state === 'paused' ? (rule.pausedReason ?? 'user') : null,
    failureCount: state === 'active' ? 0 : rule.failureCount,
    updatedAt: now,
  }
  const isSame =
    next.condition === rule.condition &&
    next.threshold === rule.threshold &&
    next.match === rule.match
  const isNamed = rule.label !== labelOf(rule, object)
  const isRestarted = !isSame || (state === 'active' && rule.state !== 'active')
  return {
    ...next,
    conditionTrue: isSame && rule.conditionTrue,
    label: label === undefined && !isNamed ? labelOf(next, object) : next.label,
    // Items published before a change, or while it was paused, fire nothing.
    ...(isRestarted && !isPriceRule(next) && { itemsFrom: now }),
  }
}

/** Whether two rules of an object would always fire together. */
export const isEqualRule = (first: AlertRule, other: AlertRule): boolean =>
  first.condition === other.condition &&
  first.threshold === other.threshold &&
  first.match === other.match &&
  first.channel === other.channel &&
  first.endpointId === other.endpointId &&
  first.target === other.target &&
  first.state !== 'archived'

function windowIn(fields: BodyFields): number | undefined {
  return fields.number('windowSeconds', { ...ALERT_WINDOW_S, isInteger: true }) ?? undefined
}

/**
 * Delivery of a body. Fields that the channel does not use are ignored; fields that are not sent
 * keep the value of the previous rule while the channel stays the same.
 */
function channelIn(fields: BodyFields, previous: Delivery | null = null): Delivery {
  const channel = fields.word('channel', ALERT_CHANNELS) ?? previous?.channel ?? 'desktop'
  const before = previous?.channel === channel ? previous : null
  if (channel === 'desktop') return { channel, endpointId: null, target: null }
  if (channel === 'webhook') {
    const sent = fields.text('endpointId', { min: 1, max: 64 })
    const endpointId = sent === undefined ? (before?.endpointId ?? null) : sent
    if (endpointId === null) throw new InvalidInput('endpointId is required for channel webhook')
    return { channel, endpointId, target: null }
  }
  const targetText = fields.text('target', { min: 1, max: MAX_TARGET_LENGTH })
  const target = targetText === undefined ? (before?.target ?? null) : targetText
  if (target !== null && !TARGETS[channel].test(target)) {
    throw new InvalidInput(
      channel === 'email' ? 'target must be an email address' : 'target must be the id of a chat',
    )
  }
  return { channel, endpointId: null, target }
}
