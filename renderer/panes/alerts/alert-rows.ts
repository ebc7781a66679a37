import type {
  ServedAlertRule,
  ServedWatched,
  WatchedPage,
} from '../../../backend/contract/orders/watch.ts'
import { isPriceRule } from '../../../backend/domain/alerts/alert-rule.ts'
import { formatCents } from '../../lib/format.ts'

/** An alert rule with the market that it is on. */
export interface AlertRow {
  readonly rule: ServedAlertRule
  readonly object: ServedWatched
}

/** The rules of all watched objects, the newest first. */
export const alertRows = (page: WatchedPage | null): readonly AlertRow[] =>
  (page?.objects ?? [])
    .flatMap((object) => object.rules.map((rule) => ({ rule, object })))
    .toSorted((left, right) => right.rule.createdAt.localeCompare(left.rule.createdAt))

/** The condition as a user reads it: `≥ 70¢`, or the name of a rule on texts. */
export const conditionText = (rule: ServedAlertRule): string =>
  isPriceRule(rule)
    ? `${rule.condition === 'price_below' ? '≤' : '≥'} ${formatCents(rule.threshold)}`
    : rule.label

/** State of a rule in words. */
export function stateText({ state, conditionTrue, ticker }: ServedAlertRule): string {
  if (state === 'paused') return 'paused'
  if (state === 'archived') return ticker === null ? 'archived' : 'market settled'
  return conditionTrue ? 'reached' : 'waiting'
}
