import type {
  ServedAlertRule,
  ServedWatched,
  WatchedPage,
} from '../../../backend/contract/orders/watch.ts'
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
    .toSorted((one, other) => other.rule.createdAt.localeCompare(one.rule.createdAt))

/** The condition as a user reads it: `≥ 70¢`. */
export const conditionText = ({ condition, threshold }: ServedAlertRule): string =>
  `${condition === 'price_below' ? '≤' : '≥'} ${formatCents(threshold)}`

/** State of a rule in words. */
export function stateText({ state, conditionTrue }: ServedAlertRule): string {
  if (state === 'paused') return 'paused'
  if (state === 'archived') return 'market settled'
  return conditionTrue ? 'reached' : 'waiting'
}
