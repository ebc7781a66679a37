import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  childrenOf,
  confidenceOf,
  depthOf,
  sortedByTree,
  isBelow,
  nestedNodes,
  nextId,
  parentOf,
  sharesOf,
  type TreeNode,
} from './tree.ts'

const NODES = ['n2', 'n1', 'n1.1', 'n1.2', 'n1.1.1', 'n10'].map(
  (id) => ({ id, killHandled: false }) as TreeNode,
)
const idsOf = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id)

describe('ids', () => {
  it('give the place in the tree', () => {
    expect(['n1', 'n1.2', 'n1.2.3'].map(parentOf)).toEqual([null, 'n1', 'n1.2'])
    expect(['n1', 'n1.2', 'n1.2.3'].map(depthOf)).toEqual([0, 1, 2])
    expect([isBelow('n1.2', 'n1'), isBelow('n10', 'n1'), isBelow('n1', 'n1')]).toEqual([
      true,
      false,
      false,
    ])
    expect(idsOf(childrenOf(NODES, null))).toEqual(['n2', 'n1', 'n10'])
    expect(idsOf(childrenOf(NODES, 'n1'))).toEqual(['n1.1', 'n1.2'])
  })

  it('are never used twice', () => {
    const first = nextId({}, null)
    expect(first).toEqual({ id: 'n1', numbered: { '': 1 } })
    expect(nextId(first.numbered, null)).toEqual({ id: 'n2', numbered: { '': 2 } })
    expect(nextId({ '': 4, n1: 2 }, 'n1')).toEqual({ id: 'n1.3', numbered: { '': 4, n1: 3 } })
  })
})

it('orders and nests nodes below their parents', () => {
  expect(idsOf(sortedByTree(NODES))).toEqual(['n2', 'n1', 'n1.1', 'n1.1.1', 'n1.2', 'n10'])
  expect(nestedNodes(NODES)).toEqual([
    { id: 'n2', depth: 0, children: [] },
    {
      id: 'n1',
      depth: 0,
      children: [
        { id: 'n1.1', depth: 1, children: [{ id: 'n1.1.1', depth: 2, children: [] }] },
        { id: 'n1.2', depth: 1, children: [] },
      ],
    },
    { id: 'n10', depth: 0, children: [] },
  ])
})

it('H1: confidence is the weighted mean of the top nodes', () => {
  const of = (id: string, probability: number, importance: number) => ({
    id,
    probability,
    importance,
  })
  expect(confidenceOf([of('n1', 0.6, 0.75), of('n2', 0.2, 0.25), of('n1.1', 1, 9)])).toBe(0.5)
  expect(confidenceOf([of('n1', 0.33333, 1)])).toBe(0.3333)
  expect(confidenceOf([of('n1', 0.6, 0)])).toBeNull()
  expect(confidenceOf([])).toBeNull()
})

describe('shares', () => {
  it('add up to one, the last that is not 0 takes the rest', () => {
    expect(sharesOf([1, 1, 1])).toEqual([0.3333, 0.3333, 0.3334])
    expect(sharesOf([1, 1, 1, 0])).toEqual([0.3333, 0.3333, 0.3334, 0])
    expect(sharesOf([3, 1])).toEqual([0.75, 0.25])
    expect(sharesOf([0, 0])).toEqual([0, 0])
    expect(sharesOf([])).toEqual([])
  })

  it('are never negative', () => {
    const importances = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 })
    fc.assert(
      fc.property(importances, (drawn) => {
        const shares = sharesOf(drawn)
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0)
        const sum = shares.reduce((total, share) => total + share, 0)
        if (drawn.some((importance) => importance > 0)) expect(sum).toBeCloseTo(1, 2)
      }),
    )
  })
})
