import { expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import {
  anchorOf,
  edgesByRules,
  thesisPriceOf,
  treeByRules,
  type BoundMarket,
} from './formation.ts'

const NOW = 1_000 as Millis
const market = (ticker: string, fields: Partial<BoundMarket> = {}): BoundMarket => ({
  ticker,
  title: `Question of ${ticker}?`,
  match: 0.8,
  orientation: 1,
  price: 30,
  ...fields,
})
const part = (label: string, ...markets: BoundMarket[]) => ({ label, markets })

it('takes the probability of a condition from its best priced market', () => {
  const unpriced = market('KXA', { price: null })
  expect(anchorOf([unpriced, market('KXB'), market('KXC')])?.ticker).toBe('KXB')
  expect(anchorOf([market('KXA', { match: 0.4 })])?.ticker).toBe('KXA')
  expect(anchorOf([market('KXA', { match: 0.39 })])).toBeNull()
})

it('H5: forms a node for each condition, the first the most important', () => {
  const { nodes, ...tree } = treeByRules(
    'Claim',
    [
      part('Same', market('KXA', { price: 31.25 })),
      part('Opposite', market('KXB', { orientation: -1, price: 30 })),
      part('Unknown'),
    ],
    NOW,
  )
  expect(
    nodes.map(({ id, label, probability, importance, tickers }) => [
      [id, label, probability, importance],
      tickers,
    ]),
  ).toEqual([
    [['n1', 'Same', 0.3125, 0.5455], ['KXA']],
    [['n2', 'Opposite', 0.7, 0.2727], ['KXB']],
    [['n3', 'Unknown', 0.5, 0.1818], []],
  ])
  expect(nodes.map(({ rationale }) => rationale)).toEqual([
    '“Question of KXA?” trades at 31.25¢ and asks this (match 0.8).',
    '“Question of KXB?” trades at 30¢ and asks the opposite (match 0.8).',
    'No open market asks this; 50% until something is known.',
  ])
  expect(nodes[0]).toMatchObject({ killHandled: false, locked: false, outcome: null })
  expect(tree).toEqual({
    rootClaim: 'Claim',
    version: 1,
    generatedAt: NOW,
    model: 'rules-1',
    numbered: { '': 3 },
  })
})

it('H5: moves a price by confidence, match and side, within 1 and 99', () => {
  const price = (at: number, confidence: number, orientation: 1 | -1 = 1) =>
    thesisPriceOf(at, confidence, { match: 0.5, orientation })
  expect(price(40, 0.5)).toBe(40)
  const up = price(40, 0.7) - 40
  expect(up).toBeGreaterThan(0)
  expect(price(40, 0.7, -1)).toBeCloseTo(40 - up, 9)
  expect(price(40, 0.3)).toBeCloseTo(40 - up, 9)
  expect([price(99, 1), price(1, 0)]).toEqual([99, 1])
})

it('has one edge in a market, for the condition that it matches best', () => {
  const { nodes } = treeByRules('Claim', [part('A', market('KXA', { price: 70 }))], NOW)
  const edges = edgesByRules({ nodes }, [
    part('A', market('KXA', { match: 0.6 }), market('KXB', { match: 0.49 })),
    part('B', market('KXA', { match: 0.7 }), market('KXC', { match: 0.5, price: null })),
    { ...part('C', market('KXA', { match: 0.7 }), market('KXD', { match: 0.5 })), nodeId: 'n9' },
  ])
  expect(edges.map(({ ticker, match, relatedNodeId }) => [ticker, match, relatedNodeId])).toEqual([
    ['KXA', 0.7, 'n2'],
    ['KXD', 0.5, 'n9'],
  ])
  expect(edges[0]?.thesisPrice).toBe(thesisPriceOf(30, 0.7, { match: 0.7, orientation: 1 }))
})
