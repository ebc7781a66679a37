import { describe, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import type { ThesisPosition } from './holdings.ts'
import { applySettlements, claimNodeOf } from './settlement.ts'
import type { BoundEdge } from './thesis.ts'
import type { CausalTree, TreeNode } from './tree.ts'

const NOW = 5_000 as Millis
const node = (id: string, ticker: string | null, fields: Partial<TreeNode> = {}) =>
  ({
    id,
    label: `Condition ${id}`,
    probability: 0.4,
    tickers: ticker === null ? [] : [ticker],
    outcome: null,
    locked: false,
    updatedAt: 1,
    ...fields,
  }) as unknown as TreeNode
const edge = (ticker: string, fields: Partial<BoundEdge> = {}) =>
  ({ ticker, orientation: 1, settlement: null, ...fields }) as BoundEdge
const position = (ticker: string, fields: Partial<ThesisPosition> = {}) =>
  ({ ticker, direction: 'yes', exitedAt: null, exitPrice: null, ...fields }) as ThesisPosition
const treeOf = (rootClaim: string, ...nodes: TreeNode[]) =>
  ({ rootClaim, nodes }) as unknown as CausalTree
const settle = (
  paid: number,
  parts: { nodes?: TreeNode[]; edges?: BoundEdge[]; positions?: ThesisPosition[] },
) =>
  applySettlements(
    treeOf('It happens', ...(parts.nodes ?? [])),
    parts.edges ?? [],
    parts.positions ?? [],
    new Map([['KXA', paid]]),
    NOW,
  )

describe('a condition whose market settled', () => {
  it.each([
    ['YES', 100, 1, 'yes', 1],
    ['NO', 0, 1, 'no', 0],
    ['YES, and asks the opposite', 100, -1, 'no', 0],
    ['NO, and asks the opposite', 0, -1, 'yes', 1],
  ] as const)('%s', (_what, paid, orientation, outcome, probability) => {
    const { nodes, changes, ...settled } = settle(paid, {
      nodes: [node('n1', 'KXA')],
      edges: [edge('KXA', { orientation })],
    })
    expect(nodes).toEqual([node('n1', 'KXA', { outcome, probability, updatedAt: NOW })])
    expect(changes).toEqual([
      {
        nodeId: 'n1',
        label: 'Condition n1',
        previousProbability: 0.4,
        newProbability: probability,
        reason: `KXA settled ${outcome}`,
      },
    ])
    expect(settled).toMatchObject({ outcome, count: 1 })
  })

  it.each([
    ['at another value', 40, node('n1', 'KXA'), 'void'],
    ['when it had an outcome', 100, node('n1', 'KXA', { outcome: 'no' }), 'yes'],
    ['when it is locked', 100, node('n1', 'KXA', { locked: true }), 'yes'],
    ['when another market is its anchor', 100, node('n1', 'KXB'), null],
    ['when it has no market', 100, node('n1', null), null],
  ] as const)('keeps its probability: %s', (_what, paid, kept, outcome) => {
    const settled = settle(paid, { nodes: [kept] })
    expect(settled).toMatchObject({ nodes: [kept], changes: [], outcome })
  })
})

it('closes open positions at what their side paid', () => {
  const closed = position('KXA', { exitedAt: 9 as Millis, exitPrice: 12 })
  const { positions } = settle(100, {
    positions: [position('KXA'), position('KXA', { direction: 'no' }), position('KXB'), closed],
  })
  const fields = { exitedAt: NOW, exitReason: 'settlement', updatedAt: NOW }
  expect(positions).toEqual([
    { ...position('KXA'), ...fields, exitPrice: 100 },
    { ...position('KXA', { direction: 'no' }), ...fields, exitPrice: 0 },
    position('KXB'),
    closed,
  ])
})

it('states the price of a settled edge once', () => {
  const earlier = edge('KXA', { settlement: { at: 1 as Millis, price: 0 } })
  const { edges, count } = settle(100, { edges: [edge('KXA'), edge('KXB'), earlier] })
  expect(edges).toEqual([
    edge('KXA', { settlement: { at: NOW, price: 100 } }),
    edge('KXB'),
    earlier,
  ])
  expect(count).toBe(1)
})

it.each([
  ['Oil rises', [node('n1', 'KXA')], 'n1'],
  ['Oil rises and gold falls', [node('n1', 'KXA'), node('n1.1', null)], 'n1'],
  ['Oil rises and gold falls', [node('n1', 'KXA'), node('n2', null)], null],
  ['Oil rises', [node('n1', 'KXA'), node('n2', null)], 'n1'],
  ['Oil rises', [], null],
])('finds the condition that states "%s"', (claim, nodes, id) => {
  expect(claimNodeOf(treeOf(claim, ...nodes))?.id ?? null).toBe(id)
})
