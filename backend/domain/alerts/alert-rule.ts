import type { Venue } from '../market.ts'
import { HOUR, SECOND, type Cents, type Millis } from '../units.ts'

export const ALERT_CONDITIONS = [
  'price_above',
  'price_below',
  'econ_release',
  'gov_action',
  'semantic_match',
] as const
export type AlertCondition = (typeof ALERT_CONDITIONS)[number]
export const ALERT_CHANNELS = ['email', 'webhook', 'telegram', 'desktop'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]
export const ALERT_STATES = ['active', 'paused', 'archived'] as const
export type AlertState = (typeof ALERT_STATES)[number]
export const PAUSE_REASONS = ['user', 'endpoint_consecutive_failures', 'endpoint_gone'] as const

/** A quote older than this triggers no alert. */
export const MAX_ALERT_QUOTE_AGE: Millis = (60 * SECOND) as Millis
export const DEFAULT_ALERT_WINDOW_S = HOUR / SECOND
export const ALERT_WINDOW_S = { min: 60, max: 604_800 } as const

/** One alert rule of a user; contract/theses-portfolio.md 5. */
export interface AlertRule {
  readonly id: string
  readonly userId: string
  readonly objectId: string
  readonly ticker: string | null
  readonly label: string
  readonly condition: AlertCondition
  /** Cents of YES for price conditions, 0 to 1 for semantic_match. */
  readonly threshold: number | null
  readonly match: string | null
  /** No second firing within this time of the last, in seconds. */
  readonly windowSeconds: number
  readonly channel: AlertChannel
  readonly endpointId: string | null
  readonly target: string | null
  readonly state: AlertState
  readonly pausedReason: (typeof PAUSE_REASONS)[number] | null
  /** Whether the condition held when it was last evaluated. */
  readonly conditionTrue: boolean
  readonly fireCount: number
  /** Firings within the window of the one before, which sent nothing. */
  readonly suppressedCount: number
  /** Failed deliveries in a row. */
  readonly failureCount: number
  readonly lastFiredAt: Millis | null
  /** Items up to this time fire nothing; absent for the creation of the rule. */
  readonly itemsFrom?: Millis
  readonly lastEvaluatedAt: Millis | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

export const WATCHED_KINDS = ['market', 'topic', 'thesis', 'series', 'bill', 'query'] as const
export type WatchedKind = (typeof WATCHED_KINDS)[number]
export const WATCHED_STATES = ['active', 'archived'] as const

/** Something that a user watches: a market, a topic, a query … */
export interface WatchedObject {
  readonly id: string
  readonly userId: string
  readonly kind: WatchedKind
  /** Ticker of a market, slug of a topic, text of a query. */
  readonly ref: string
  readonly label: string
  readonly venue: Venue | null
  readonly note: string | null
  readonly state: (typeof WATCHED_STATES)[number]
  readonly lastRefreshedAt: Millis | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

export const isPriceRule = ({ condition }: Pick<AlertRule, 'condition'>): boolean =>
  condition === 'price_above' || condition === 'price_below'

/** Whether a price of YES meets a price rule. */
export function priceMeets(
  rule: Pick<AlertRule, 'condition' | 'threshold'>,
  price: Cents,
): boolean {
  const threshold = rule.threshold ?? Number.NaN
  return rule.condition === 'price_above' ? price >= threshold : price <= threshold
}

/** The state of its market that a rule is evaluated on. */
export interface AlertPrice {
  readonly price: Cents | null
  /** When the quote was last confirmed. */
  readonly quotedAt: Millis | null
}

/** The rule after an evaluation, and whether it fires. */
export interface RuleEvaluation {
  readonly rule: AlertRule
  readonly fires: boolean
}

/**
 * Evaluates an active price rule: it fires when its condition turns true, and again only after it
 * was false. An unknown or old price leaves the rule as it is. A firing within `windowSeconds` of
 * the last one is counted and sends nothing.
 */
export function evaluatePriceRule(
  rule: AlertRule,
  { price, quotedAt }: AlertPrice,
  now: Millis,
): RuleEvaluation {
  const isKnown = price !== null && quotedAt !== null && now - quotedAt < MAX_ALERT_QUOTE_AGE
  if (!isKnown || rule.state !== 'active') return { rule, fires: false }
  const conditionTrue = priceMeets(rule, price)
  const evaluatedRule = { ...rule, conditionTrue, lastEvaluatedAt: now }
  if (!conditionTrue || rule.conditionTrue) return { rule: evaluatedRule, fires: false }
  return firedUnlessRecent(evaluatedRule, now)
}

/** Evaluates an active rule for a new item that meets it. */
export const evaluateItemRule = (rule: AlertRule, now: Millis): RuleEvaluation =>
  firedUnlessRecent({ ...rule, lastEvaluatedAt: now }, now)

/** The rule fires, or a firing within its window is counted. */
function firedUnlessRecent(rule: AlertRule, now: Millis): RuleEvaluation {
  const { lastFiredAt, windowSeconds } = rule
  if (lastFiredAt !== null && now - lastFiredAt < windowSeconds * SECOND) {
    const suppressedCount = rule.suppressedCount + 1
    return { rule: { ...rule, suppressedCount, updatedAt: now }, fires: false }
  }
  const fireCount = rule.fireCount + 1
  return { rule: { ...rule, fireCount, lastFiredAt: now, updatedAt: now }, fires: true }
}

/** Name of a rule that was given none: `≥ 70¢`. */
export const priceRuleLabel = (condition: AlertCondition, threshold: number): string =>
  `${condition === 'price_above' ? '≥' : '≤'} ${threshold}¢`
