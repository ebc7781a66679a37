import { describe, expect, it } from 'vitest'
import { isFinalStrategy, positionPnl, strategyProblem, STRATEGY_STATUSES } from './holdings.ts'

describe('the prices of a strategy', () => {
  const strategy = {
    entryBelow: 40,
    entryAbove: null,
    stopLoss: 20,
    takeProfit: 60,
    maxQuantity: 100,
    perOrderQuantity: 100,
  }
  it.each([
    ['are consistent', {}, null],
    ['need an entry', { entryBelow: null }, 'entryBelow or entryAbove is required'],
    ['may enter above', { entryBelow: null, entryAbove: 70 }, null],
    ['may enter below or above', { entryAbove: 70 }, null],
    ['stop below the entry', { stopLoss: 40 }, 'stopLoss must be below entryBelow'],
    ['may stop just below it', { stopLoss: 39 }, null],
    ['need no stop', { stopLoss: null }, null],
    ['take profit above the entry', { takeProfit: 40 }, 'takeProfit must be above entryBelow'],
    ['may take it just above', { takeProfit: 41 }, null],
    ['need no profit to take', { takeProfit: null }, null],
    [
      'fit one order',
      { perOrderQuantity: 101 },
      'perOrderQuantity must be an integer from 1 to 100',
    ],
    ['compare no entry above', { entryBelow: null, entryAbove: 70, stopLoss: 90 }, null],
  ])('%s', (_what, changes, problem) => {
    expect(strategyProblem({ ...strategy, ...changes })).toBe(problem)
  })
})

it('counts the profit of a position in whole cents', () => {
  expect(positionPnl({ entryPrice: 40, size: 3 }, 42.5)).toBe(8)
  expect(positionPnl({ entryPrice: 40, size: 3 }, 30)).toBe(-30)
  expect(positionPnl({ entryPrice: 40, size: null }, 30)).toBeNull()
  expect(positionPnl({ entryPrice: 40, size: 3 }, null)).toBeNull()
})

it('lets the owner change no executed or cancelled strategy', () => {
  expect(STRATEGY_STATUSES.filter(isFinalStrategy)).toEqual(['executed', 'cancelled'])
})
