import type { AlertRule, WatchedObject } from '../domain/alerts/alert-rule.ts'
import type { Millis } from '../domain/units.ts'
import { openState, type State } from '../state/open.ts'
import { addUser } from './users.ts'

export const USER = 'user_1'

/** A watched market. */
export const objectAt = (now: Millis, more: Partial<WatchedObject> = {}): WatchedObject => ({
  id: 'wo_1',
  userId: USER,
  kind: 'market',
  ref: 'KXTEST',
  label: 'Test',
  venue: 'venue_a',
  note: null,
  state: 'active',
  lastRefreshedAt: null,
  createdAt: now,
  updatedAt: now,
  ...more,
})

/** A price rule on it. */
export const ruleAt = (now: Millis, more: Partial<AlertRule> = {}): AlertRule => ({
  id: 'ar_1',
  userId: USER,
  objectId: 'wo_1',
  ticker: 'KXTEST',
  label: '≥ 70¢',
  condition: 'price_above',
  threshold: 70,
  match: null,
  windowSeconds: 60,
  channel: 'desktop',
  endpointId: null,
  target: null,
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
  ...more,
})

/** Operational rows in memory with the user of these rules. */
export async function stateWithUser(): Promise<State> {
  const state = await openState(':memory:')
  await addUser(state, USER)
  return state
}
