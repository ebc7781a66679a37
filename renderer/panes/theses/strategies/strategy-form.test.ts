import { describe, expect, it } from 'vitest'
import { strategyUnderTest, thesisUnderTest } from '../../../testing/theses.ts'
import { bodyOf, fieldsOf, problemOf, sentenceOf, stateOf, valuesOf } from './strategy-form.ts'

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
    ['maxQuantity', { maxQuantity: '1000001' }],
    ['entryBelow', { entryBelow: '0' }],
    ['entryBelow', { entryBelow: '42.12345' }],
    ['priority', { priority: '101' }],
  ])('reports a wrong %s beside its field: %j', (field, change) => {
    expect(problemOf({ ...NEW, ...change })?.field).toBe(field)
  })

  it('states what ticks will do', () => {
    expect(problemOf({ ...NEW, stopLoss: '30', takeProfit: '80' })).toBeNull()
    expect(sentenceOf({ ...NEW, stopLoss: '30', takeProfit: '80' }, null, thesis)).toBe(
      'Adds a strategy: ticks buy YES of “Will the Fed cut?” at or below 60.0¢, 50 contracts per order and 500 in total; they sell at 30.0¢ or less and at 80.0¢ or more. Within your limits.',
    )
    expect(sentenceOf(valuesOf(STRATEGY, thesis), STRATEGY, thesis)).toBe(
      'Changes the strategy: ticks buy NO of “Will the Fed cut?” at or below 60.0¢, 10 contracts per order and 1,000 in total once the thesis and the strategy are active; they sell at 30.0¢ or less and at 80.5¢ or more. Within your limits. It buys nothing until “Wait for” is cleared.',
    )
  })

  it.each([
    [{ priority: '0' }],
    [{ priority: '100' }],
    [{ perOrderQuantity: '1', maxQuantity: '1' }],
    [{ maxQuantity: '1000000' }],
    [{ entryBelow: '99.9999' }],
    [{ entryBelow: '', entryAbove: '60' }],
  ])('takes %j', (change) => {
    expect(problemOf({ ...NEW, ...change })).toBeNull()
  })

  it('a fault is in the words of the form', () => {
    expect(problemOf({ ...NEW, priority: '101' })?.text).toBe('Enter a whole number from 0 to 100.')
    expect(problemOf({ ...NEW, maxQuantity: '0' })?.text).toBe(
      'Enter a whole number from 1 to 1,000,000.',
    )
    expect(problemOf({ ...NEW, stopLoss: '60' })?.text).toBe(
      'The stop must be below the price at which the strategy buys.',
    )
  })

  it('starts empty without an edge, and skips settled ones', () => {
    const none = { ...thesis, edgeAnalysis: null }
    expect(valuesOf(null, none)).toMatchObject({ marketId: '', direction: 'yes' })
    const [edge] = thesis.edgeAnalysis?.edges ?? []
    const edges = [
      { ...edge, settled: true },
      { ...edge, marketId: 'KX-2', direction: 'no' },
    ]
    const settled = { ...thesis, edgeAnalysis: { ...thesis.edgeAnalysis, edges } } as never
    expect(valuesOf(null, settled)).toMatchObject({ marketId: 'KX-2', direction: 'no' })
  })

  it('only a new one has a market and a side', () => {
    const names = (row: typeof STRATEGY | null) => fieldsOf(row).map(({ name }) => name)
    expect(names(null).slice(0, 3)).toEqual(['marketId', 'direction', 'entryBelow'])
    expect(names(STRATEGY)[0]).toBe('entryBelow')
  })

  it('prices that are not set are empty, and sent as none', () => {
    const values = valuesOf(strategyUnderTest(), thesis)
    expect(values).toMatchObject({ entryBelow: '60', entryAbove: '', stopLoss: '' })
    expect(bodyOf(values)).toMatchObject({ entryBelow: 60, entryAbove: null, stopLoss: null })
  })

  it('states both entries, one exit, and a market without an edge', () => {
    const values = { ...NEW, marketId: ' KX-9 ', entryAbove: '70', takeProfit: '80' }
    expect(sentenceOf(values, null, thesis)).toBe(
      'Adds a strategy: ticks buy YES of “KX-9” at or below 60.0¢ or at or above 70.0¢, 50 contracts per order and 500 in total; they sell at 80.0¢ or more. Within your limits.',
    )
    expect(sentenceOf(NEW, null, { ...thesis, status: 'paused' })).toContain(
      '500 in total once the thesis and the strategy are active. Within',
    )
    const active = strategyUnderTest()
    expect(sentenceOf(valuesOf(active, thesis), active, thesis)).not.toContain('once the thesis')
  })

  it.each([
    ['watching', 'paused'],
    ['active', 'active'],
  ] as const)('%s is shown as %s', (status, text) => {
    expect(stateOf({ status })).toBe(text)
  })
})
