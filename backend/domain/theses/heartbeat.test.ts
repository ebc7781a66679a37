import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis } from '../units.ts'
import {
  HEARTBEAT_DEFAULTS,
  isEvaluationDue,
  isOverBudget,
  newHeartbeat,
  nextRunAfter,
  tierOf,
  withFailedCalls,
} from './heartbeat.ts'
import { NO_COST, sumOfCosts, type BoundEdge } from './thesis.ts'

const NOW = Date.parse('2026-11-20T14:05:00Z') as Millis
const nextRun = (config: object, pausedReason: 'user' | 'budget' | null = null, at = NOW) =>
  nextRunAfter({ config: { ...HEARTBEAT_DEFAULTS, ...config }, pausedReason }, at)

describe('the next run', () => {
  it('follows after the shorter interval, four hours by default', () => {
    expect(nextRun({})).toBe(NOW + 4 * HOUR)
    expect(nextRun({ newsIntervalMin: 60 })).toBe(NOW + HOUR)
    expect(nextRun({ xIntervalMin: 30 })).toBe(NOW + HOUR / 2)
  })

  it('waits for the next month when the budget is spent, and for the owner otherwise', () => {
    expect(nextRun({ paused: true }, 'budget')).toBe(Date.parse('2026-12-01T00:00:00Z'))
    const december = Date.parse('2026-12-31T23:59:59Z') as Millis
    expect(nextRun({ paused: true }, 'budget', december)).toBe(Date.parse('2027-01-01T00:00:00Z'))
    expect(nextRun({ paused: true }, 'user')).toBeNull()
  })
})

describe('an evaluation is due', () => {
  const edge = { ticker: 'KXA', evaluatedPrice: 40, settlement: null }
  const isDue = (
    parts: {
      pending?: number
      last?: number | null
      price?: number
      settles?: boolean
      isSettled?: boolean
    } = {},
  ): boolean => {
    const { pending = 0, last = NOW - HOUR, price, settles = false, isSettled = false } = parts
    const settlement = isSettled ? { at: NOW, price: 100 } : null
    return isEvaluationDue(
      { edges: [{ ...edge, settlement } as BoundEdge], lastEvaluatedAt: last as Millis | null },
      pending,
      new Map(price === undefined ? [] : [['KXA', price]]),
      new Map(settles ? [['KXA', 100]] : []),
      NOW,
    )
  }

  it.each([
    ['nothing happened', {}, false],
    ['a signal waits', { pending: 1 }, true],
    ['there was none yet', { last: null }, true],
    ['the last one is a day old', { last: NOW - DAY }, true],
    ['the last one is almost a day old', { last: NOW - DAY + 1 }, false],
    ['a market rose by three cents', { price: 43 }, true],
    ['a market fell by three cents', { price: 37 }, true],
    ['a market moved by less', { price: 42.9 }, false],
    ['a market settled', { settles: true }, true],
    ['a settled market moved', { settles: true, isSettled: true, price: 99 }, false],
  ] as const)('when %s', (_what, parts, due) => {
    expect(isDue(parts)).toBe(due)
  })
})

it('adds the cost of failed calls up within a month', () => {
  const cost = (usd: number) => ({ ...NO_COST, usd, llmCalls: 1 })
  const once = withFailedCalls(newHeartbeat('th_1'), '2026-11', cost(0.25))
  expect(once.failedCalls).toMatchObject({ month: '2026-11', cost: { usd: 0.25, llmCalls: 1 } })
  const twice = withFailedCalls(once, '2026-11', cost(0.5))
  expect(twice.failedCalls).toMatchObject({ month: '2026-11', cost: { usd: 0.75, llmCalls: 2 } })
  expect(withFailedCalls(twice, '2026-12', cost(1)).failedCalls).toMatchObject({
    month: '2026-12',
    cost: { usd: 1, llmCalls: 1 },
  })
})

it('sums the costs of calls, each kind by itself', () => {
  const cost = { usd: 1, llmCalls: 2, searchCalls: 3, inputTokens: 4, outputTokens: 5 }
  expect(sumOfCosts([])).toEqual(NO_COST)
  expect(sumOfCosts([cost, { ...cost, unpricedCalls: 6 }])).toEqual({
    usd: 2,
    unpricedCalls: 6,
    llmCalls: 4,
    searchCalls: 6,
    inputTokens: 8,
    outputTokens: 10,
  })
})

it.each([
  [0, 100, false],
  [15, 14.99, false],
  [15, 15, true],
])('a budget of %d with %d spent: over it %s', (monthlyBudgetUsd, spent, isOver) => {
  expect(isOverBudget({ ...HEARTBEAT_DEFAULTS, monthlyBudgetUsd }, spent)).toBe(isOver)
})

it('takes the middle model for the base tier', () => {
  expect((['cheap', 'base', 'medium', 'heavy'] as const).map(tierOf)).toEqual([
    'cheap',
    'medium',
    'medium',
    'heavy',
  ])
})
