import { describe, expect, it } from 'vitest'
import type { ServedAlertRule, ServedWatched } from '../../../backend/contract/orders/watch.ts'
import { alertRows, conditionText, stateText } from './alert-rows.ts'

const rule = (change: Partial<ServedAlertRule>): ServedAlertRule => ({
  id: 'ar_1',
  objectId: 'wo_1',
  ticker: 'KX-1',
  label: '≥ 70¢',
  condition: 'price_above',
  threshold: 70,
  match: null,
  windowSeconds: 3600,
  channel: 'desktop',
  endpointId: null,
  target: null,
  state: 'active',
  pausedReason: null,
  conditionTrue: false,
  fireCount: 0,
  failureCount: 0,
  lastFiredAt: null,
  lastEvaluatedAt: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  ...change,
})

describe('alert rows', () => {
  it('lists the rules of all objects, the newest first', () => {
    const object = (id: string, rules: readonly ServedAlertRule[]) =>
      ({ id, rules: [...rules] }) as Partial<ServedWatched> as ServedWatched
    const objects = [
      object('wo_1', [rule({ id: 'ar_old' })]),
      object('wo_2', [rule({ id: 'ar_new', createdAt: '2026-11-21T12:00:00.000Z' })]),
    ]
    const pageInfo = { limit: 200, nextCursor: null, hasMore: false }
    const rows = alertRows({ data: objects, objects, pageInfo })
    expect(rows.map((row) => [row.rule.id, row.object.id])).toEqual([
      ['ar_new', 'wo_2'],
      ['ar_old', 'wo_1'],
    ])
    expect(alertRows(null)).toEqual([])
  })

  it.each([
    [{}, '≥ 70.0¢', 'waiting'],
    [{ conditionTrue: true }, '≥ 70.0¢', 'reached'],
    [{ condition: 'price_below', threshold: 5, state: 'paused' }, '≤ 5.0¢', 'paused'],
    [{ state: 'archived' }, '≥ 70.0¢', 'market settled'],
    [
      { condition: 'semantic_match', threshold: 0.75, label: 'Like fed cut', ticker: null },
      'Like fed cut',
      'waiting',
    ],
    [{ state: 'archived', ticker: null }, '≥ 70.0¢', 'archived'],
  ] as const)('of %j are %s, %s', (change, condition, state) => {
    expect([conditionText(rule(change)), stateText(rule(change))]).toEqual([condition, state])
  })
})
