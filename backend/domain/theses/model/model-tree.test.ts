import { describe, expect, it } from 'vitest'
import fc from '../../../../scripts/properties.ts'
import type { Millis } from '../../units.ts'
import { suggestionsIn, treeIn } from './model-tree.ts'
import { childrenOf, depthOf, parentOf, TREE_LIMITS } from '../tree.ts'

const PRICES = new Map<string, number | null>([
  ['KXFED-26DEC', 62],
  ['KXCPI-26DEC', null],
])
const MADE = { rootClaim: 'Rates fall', model: 'small', now: 5 as Millis }
const read = (answer: unknown) =>
  treeIn(typeof answer === 'string' ? answer : JSON.stringify(answer), MADE, PRICES)
const node = (key: string, fields: object = {}) => ({
  key,
  parent: null,
  label: `Condition ${key}`,
  probability: 0.4,
  importance: 0.5,
  rationale: 'Because.',
  markets: [],
  killCondition: null,
  ...fields,
})
const treeOf = (...nodes: unknown[]) => read({ summary: 'Two conditions.', nodes })
const shape = (found: ReturnType<typeof treeOf>) =>
  found?.tree.nodes.map(({ id, label, probability, importance }) => [
    id,
    label,
    probability,
    importance,
  ])

describe('the tree of a model', () => {
  it('is numbered in tree order with the markets that it names', () => {
    const found = treeOf(
      node('a', { importance: 0.7, markets: ['KXFED-26DEC'] }),
      node('b', { importance: 0.3 }),
      node('c', { parent: 'a', importance: 1, probability: 0.8 }),
    )
    expect(shape(found)).toEqual([
      ['n1', 'Condition a', 0.4, 0.7],
      ['n1.1', 'Condition c', 0.8, 1],
      ['n2', 'Condition b', 0.4, 0.3],
    ])
    expect(found?.tree).toMatchObject({ model: 'small', rootClaim: 'Rates fall', version: 1 })
    expect(found?.tree.nodes[0]).toMatchObject({ tickers: ['KXFED-26DEC'], origin: 'model' })
    expect(found?.corrections).toEqual([])
    expect(found?.summary).toBe('Two conditions.')
  })

  it('has importances that sum to 1 and probabilities that are not certain', () => {
    const found = treeOf(
      node('a', { importance: 3, probability: 1 }),
      node('b', { importance: 1, probability: 7 }),
      node('c', { importance: -1, probability: 'high', markets: ['KXFED-26DEC'] }),
      node('d', { importance: 0, probability: null, markets: ['KXCPI-26DEC'] }),
    )
    expect(shape(found)).toEqual([
      ['n1', 'Condition a', 0.99, 0.75],
      ['n2', 'Condition b', 0.5, 0.25],
      ['n3', 'Condition c', 0.62, 0],
      ['n4', 'Condition d', 0.5, 0],
    ])
    expect(found?.corrections).toEqual([
      'n1: the probability 1 became 0.99',
      'n2: the probability is not between 0 and 1; 50% is used',
      'n3: the probability is not between 0 and 1; the market price is used',
      'n3: the importance is not a number of at least 0; 0 is used',
      'n4: the probability is not between 0 and 1; 50% is used',
      'importances of the top level summed to 4 and were scaled to 1',
    ])
  })

  it('leaves out conditions without a place, and reports each', () => {
    const found = treeOf(
      node('a', { importance: 1 }),
      node('b', { label: ' ' }),
      node('c', { parent: 'b' }),
      node('d', { label: 'condition  A!' }),
      node('e', { parent: 7 }),
      'not a condition',
    )
    expect(shape(found)).toEqual([['n1', 'Condition a', 0.4, 1]])
    expect(found?.corrections).toEqual([
      'condition 2 was left out: it has no label',
      'condition 3 was left out: its parent is unknown',
      'condition 4 was left out: it is stated twice',
      'condition 5 was left out: its parent is unknown',
      'condition 6 was left out: it has no label',
    ])
  })

  it('binds known markets only', () => {
    const found = treeOf(node('a', { importance: 1, markets: ['KXFED-26DEC', 'KXNONE', 3] }))
    expect(found?.tree.nodes[0]?.tickers).toEqual(['KXFED-26DEC'])
    expect(found?.corrections).toEqual([
      'n1: market KXNONE is unknown',
      'n1: market without a ticker is unknown',
    ])
  })

  it.each([
    [{ text: 'It stays.', op: 'prob_below', ticker: null, value: 0.2 }, true],
    // Not met yet where the figure is just at its limit.
    [{ text: 'It stays.', op: 'prob_below', ticker: null, value: 0.4 }, true],
    [{ text: 'It stays.', op: 'prob_above', ticker: null, value: 0.4 }, true],
    [{ text: 'It stays.', op: 'price_below', ticker: 'KXFED-26DEC', value: 62 }, true],
    [{ text: 'It stays.', op: 'price_above', ticker: 'KXFED-26DEC', value: 62 }, true],
    [{ text: 'It stays.', op: 'price_above', ticker: 'KXCPI-26DEC', value: 0 }, true],
    [{ text: 'It stays.', op: 'price_above', ticker: 'KXFED-26DEC', value: 80 }, true],
    [{ text: 'It stays.', op: 'text', ticker: null, value: null }, true],
    [{ text: 'It stays.', op: 'prob_below', ticker: null, value: 20 }, false],
    [{ text: 'It stays.', op: 'price_above', ticker: 'KXNONE', value: 80 }, false],
    [{ text: '', op: 'text', ticker: null, value: null }, false],
    [{ text: 'It stays.', op: 'explodes', ticker: null, value: 1 }, false],
  ])('takes a kill condition only when it can be checked: %j', (killCondition, isTaken) => {
    const found = treeOf(node('a', { importance: 1, killCondition }))
    expect(found?.tree.nodes[0]?.killCondition).toEqual(isTaken ? killCondition : null)
    expect(found?.corrections).toEqual(
      isTaken ? [] : ['n1: the kill condition is incomplete and was left out'],
    )
  })

  it.each([
    { text: 'Met.', op: 'prob_below', ticker: null, value: 0.5 },
    { text: 'Met.', op: 'prob_above', ticker: null, value: 0.39 },
    { text: 'Met.', op: 'price_above', ticker: 'KXFED-26DEC', value: 61 },
    { text: 'Met.', op: 'price_below', ticker: 'KXFED-26DEC', value: 63 },
  ])('leaves out a kill condition that is met already: %j', (killCondition) => {
    const found = treeOf(node('a', { importance: 1, killCondition }))
    expect(found?.tree.nodes[0]?.killCondition).toBeNull()
    expect(found?.corrections).toEqual(['n1: the kill condition is met already and was left out'])
  })

  it.each(['', 'I cannot help with that.', '{"nodes": 1}', '{"nodes": []}', '{"nodes": [{}]}'])(
    'is none for %j',
    (answer) => expect(read(answer)).toBeNull(),
  )

  it('keeps the limits of a tree whatever a model answers', () => {
    const anyNode = fc.record({
      key: fc.integer({ min: 0, max: 30 }).map(String),
      parent: fc.option(fc.integer({ min: 0, max: 30 }).map(String)),
      label: fc.string({ maxLength: 400 }),
      probability: fc.oneof(fc.double(), fc.string(), fc.constant(null)),
      importance: fc.oneof(fc.double(), fc.constant('much')),
      markets: fc.array(fc.constantFrom('KXFED-26DEC', 'KXNONE')),
      killCondition: fc.anything(),
    })
    fc.assert(
      fc.property(fc.array(anyNode, { maxLength: 300 }), (nodes) => {
        const found = read({ nodes })
        if (found === null) return
        const { nodes: formed } = found.tree
        const ids = formed.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(formed.length).toBeLessThanOrEqual(TREE_LIMITS.nodes)
        for (const { id, label, probability, tickers } of formed) {
          expect(probability).toBeGreaterThanOrEqual(0.01)
          expect(probability).toBeLessThanOrEqual(0.99)
          expect(depthOf(id)).toBeLessThan(TREE_LIMITS.levels)
          expect(label.trim()).not.toBe('')
          expect(tickers.every((ticker) => PRICES.has(ticker))).toBe(true)
          const [parent, children] = [parentOf(id), childrenOf(formed, id)]
          expect(parent === null || ids.indexOf(parent) < ids.indexOf(id)).toBe(true)
          expect(children.length).toBeLessThanOrEqual(TREE_LIMITS.children)
        }
        for (const parent of [null, ...ids]) {
          const family = childrenOf(formed, parent)
          const sum = family.reduce((total, { importance }) => total + importance, 0)
          if (family.length > 0) expect(sum).toBeCloseTo(1, 3)
        }
        expect(found.corrections.length).toBeLessThanOrEqual(21)
      }),
      { numRuns: 200 },
    )
  })
})

describe('suggestions of a model', () => {
  const suggested = (nodes: unknown) =>
    suggestionsIn(JSON.stringify({ nodes }), new Set(['n1', 'n2']), PRICES)

  it('name a target each; others are left out', () => {
    const found = suggested([
      { parent: 'n1', label: ' A vote  passes ', probability: 0.3, markets: ['KXFED-26DEC'] },
      { parent: 'n9', label: 'Elsewhere', probability: 0.3, markets: [] },
      { parent: 'n2', label: '', probability: 0.3, markets: [] },
    ])
    expect(found?.suggestions).toEqual([
      { parentId: 'n1', label: 'A vote passes', probability: 0.3, tickers: ['KXFED-26DEC'] },
    ])
    expect(found?.corrections).toEqual([
      'condition 2 was left out: its parent is unknown',
      'condition 3 was left out: it has no label',
    ])
  })

  it('are none for an answer without a list, and may be empty', () => {
    expect(suggested('none')).toBeNull()
    expect(suggested([])).toEqual({ suggestions: [], corrections: [] })
  })
})
