import { describe, expect, it } from 'vitest'
import { strategyUnderTest, thesisUnderTest } from '../../../testing/theses.ts'
import { bodyOf, problemOf, sentenceOf, valuesOf } from './strategy-form.ts'

const thesis = thesisUnderTest()
const NEW = { ...valuesOf(null, thesis), entryBelow: '60' }
const STRATEGY = strategyUnderTest({
  direction: 'no',
  horizon: 'long',
  status: 'watching',
  priority: 90,
  stopLoss: 30,
  takeProfit: 80.5,
  maxQuantity: 1_000,
  perOrderQuantity: 10,
  softConditions: 'the vote is called',
})

describe('[terminal.theses.strategies] the form of a strategy', () => {
  it('starts at the largest edge, and sends numbers and nulls', () => {
    expect(bodyOf(NEW)).toEqual({
      marketId: 'KXFED-26DEC',
      direction: 'yes',
      createdBy: 'terminal',
      entryBelow: 60,
      entryAbove: null,
      stopLoss: null,
      takeProfit: null,
      perOrderQuantity: 50,
      maxQuantity: 500,
      priority: 50,
      horizon: 'medium',
      softConditions: null,
      rationale: null,
    })
    const kept = bodyOf(valuesOf(STRATEGY, thesis))
    expect(kept).not.toHaveProperty('marketId')
    expect(kept).toMatchObject({ takeProfit: 80.5, horizon: 'long', priority: 90 })
  })

  it.each([
    ['marketId', { marketId: ' ' }],
    ['entryBelow', { entryBelow: '' }],
    ['entryBelow', { entryBelow: '100' }],
    ['entryAbove', { entryAbove: '60¢' }],
    ['stopLoss', { stopLoss: '60' }],
    ['takeProfit', { takeProfit: '59.5' }],
    ['perOrderQuantity', { perOrderQuantity: '501' }],
    ['perOrderQuantity', { perOrderQuantity: '1.5' }],
    ['maxQuantity', { maxQuantity: '0' }],
    ['priority', { priority: '101' }],
  ])('reports a wrong %s beside its field: %j', (field, change) => {
    expect(problemOf({ ...NEW, ...change })?.field).toBe(field)
  })

  it('states what ticks will do', () => {
    expect(problemOf({ ...NEW, stopLoss: '30', takeProfit: '80' })).toBeNull()
    expect(sentenceOf({ ...NEW, stopLoss: '30', takeProfit: '80' }, null, thesis)).toBe(
      'Adds a strategy: ticks buy YES of “Will the Fed cut?” at or below 60.0¢, 50 contracts an order and 500 in all; they sell at 30.0¢ or less and at 80.0¢ or more. Within your limits.',
    )
    expect(sentenceOf(valuesOf(STRATEGY, thesis), STRATEGY, thesis)).toBe(
      'Changes the strategy: ticks buy NO of “Will the Fed cut?” at or below 60.0¢, 10 contracts an order and 1,000 in all once the thesis and the strategy are active; they sell at 30.0¢ or less and at 80.5¢ or more. Within your limits. It buys nothing until “Wait for” is cleared.',
    )
  })
})
