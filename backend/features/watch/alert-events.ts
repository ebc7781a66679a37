import { createHash } from 'node:crypto'
import type { AlertFired, AlertPaused } from '../../contract/orders/webhook-events.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import type { AlertItem } from '../../domain/alerts/alert-item.ts'
import { isPriceRule, type AlertRule, type WatchedObject } from '../../domain/alerts/alert-rule.ts'
import { leadIn } from '../../domain/world/markdown/text.ts'
import { roundTo, SECOND, type Millis } from '../../domain/units.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import { isoOf } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { RuleTarget } from '../../state/event-outbox.ts'

/** The text of a notice. */
export const alertText = (rule: AlertRule, view: MarketView | null, isLate: boolean): string => {
  if (!isPriceRule(rule)) return rule.label
  const title = view?.facts.title ?? rule.ticker ?? rule.label
  const price = view?.price ?? null
  const now = price === null ? 'price unknown' : `${roundTo(price, 1)}¢`
  const side = rule.condition === 'price_above' ? 'at or above' : 'at or below'
  const lateNote = isLate ? ', reached while the service was off' : ''
  return `${leadIn(title)} ${now}, ${side} ${rule.threshold ?? ''}¢${lateNote}`
}

/** Equal for two firings of a rule within one of its windows. */
export function firingKey(rule: AlertRule, firedAt: Millis): string {
  const window = Math.floor(firedAt / (rule.windowSeconds * SECOND))
  const parts = [rule.id, rule.channel, rule.endpointId, window]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Where a rule sends its firing; null for a notice on the desktop. */
export function targetOf({ channel, endpointId, target }: AlertRule): RuleTarget | null {
  if (channel === 'desktop') return null
  if (channel === 'webhook') return { channel, endpointId: endpointId ?? '' }
  return { channel, to: target ?? '' }
}

/** State of a rule's market when the rule fired. */
export interface FiringSnapshot {
  readonly view: MarketView | null
  readonly regimeLabel: string | null
  /** The threshold was reached, or the item published, while the service was off. */
  readonly isLate: boolean
  /** The item that it fired for; null for a price. */
  readonly item: AlertItem | null
}

/** The event `alert.fired`; contract/theses-portfolio.md 6.2. */
export function firedEvent(
  rule: AlertRule,
  object: WatchedObject | null,
  { view, regimeLabel, isLate, item }: FiringSnapshot,
  now: Millis,
  isTest = false,
): OutgoingEvent {
  const { id, label, condition, threshold, match, windowSeconds, channel, ticker } = rule
  const price = view?.price ?? null
  const text =
    item === null ? alertText(rule, view, isLate) : `${rule.label}: ${item.title} (${item.source})`
  const data: AlertFired = {
    ruleId: id,
    watchedObjectId: rule.objectId,
    ticker,
    condition,
    threshold,
    rule: { id, label, condition, threshold, match, windowSeconds, channel },
    watchedObject:
      object === null
        ? null
        : { id: object.id, kind: object.kind, ref: object.ref, label: object.label },
    snapshot: {
      priceCents: price === null ? null : roundTo(price, 4),
      volume24h: view?.volume24h ?? null,
      regimeLabel,
      item:
        item === null
          ? null
          : { title: item.title, source: item.source, url: item.url, at: isoOf(item.at) },
      late: isLate,
    },
    firedAt: isoOf(now),
    test: isTest,
  }
  return {
    id: newId('evt', now),
    userId: rule.userId,
    type: 'alert.fired',
    createdAt: now,
    message: isTest ? `Test: ${text}` : text,
    ruleId: id,
    ticker,
    data,
  }
}

/** The event `alert.paused`: deliveries of a rule failed five times in a row. */
export function pausedEvent(rule: AlertRule, now: Millis): OutgoingEvent {
  const data: AlertPaused = {
    ruleId: rule.id,
    watchedObjectId: rule.objectId,
    reason: 'endpoint_consecutive_failures',
    failureCount: rule.failureCount,
    pausedAt: isoOf(now),
  }
  return {
    id: newId('evt', now),
    userId: rule.userId,
    type: 'alert.paused',
    createdAt: now,
    message: `Alert ${rule.label} paused: ${rule.failureCount} firings in a row failed`,
    ruleId: rule.id,
    ticker: rule.ticker,
    data,
  }
}
