import { describe, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { confidenceOf, nestedNodes, sharesOf, type CausalTree, type TreeNode } from './tree.ts'
import { editedTree, TreeEditRefused, type TreeEdit } from './tree-edit.ts'

const THEN = 1_000 as Millis
const NOW = 2_000 as Millis
const node = (id: string, importance: number, more: Partial<TreeNode> = {}): TreeNode => ({
  id,
  label: `Condition ${id}`,
  probability: 0.5,
  importance,
  tickers: [],
  rationale: null,
  killCondition: null,
  killHandled: false,
  outcome: null,
  locked: false,
  origin: 'model',
  updatedAt: THEN,
  ...more,
})
const treeOf = (...nodes: TreeNode[]): CausalTree => ({
  rootClaim: 'Rates fall',
  nodes,
  version: 3,
  generatedAt: THEN,
  model: 'rules-1',
  numbered: { '': 2, n1: 2 },
})
const TREE = treeOf(node('n1', 0.6), node('n1.1', 0.5), node('n1.2', 0.5), node('n2', 0.4))
const edited = (edit: Partial<TreeEdit>, tree = TREE) =>
  editedTree(tree, { updates: [], add: [], remove: [], ...edit }, 'user', NOW)
const shapeOf = (edit: Partial<TreeEdit>, tree = TREE) =>
  edited(edit, tree).tree.nodes.map(({ id, importance }) => [id, importance])
const refusal = (edit: Partial<TreeEdit>, tree = TREE): string => {
  try {
    edited(edit, tree)
  } catch (error) {
    if (error instanceof TreeEditRefused) return error.message
    throw error
  }
  return 'not refused'
}

describe('an edit of a tree', () => {
  it('changes the given fields of a node, and the version of the tree', () => {
    const killCondition = { text: 'x', op: 'text', ticker: null, value: null } as const
    const { tree, changed } = edited({
      updates: [
        {
          nodeId: 'n1',
          probability: 0.9,
          label: 'New',
          locked: true,
          tickers: ['A'],
          killCondition,
        },
      ],
    })
    expect(tree.nodes[0]).toEqual({
      ...TREE.nodes[0],
      probability: 0.9,
      label: 'New',
      locked: true,
      tickers: ['A'],
      killCondition,
      updatedAt: NOW,
    })
    expect(tree.nodes.slice(1)).toEqual(TREE.nodes.slice(1))
    expect([tree.version, changed]).toEqual([4, ['n1']])
  })

  it.each([
    ['yes', undefined, 1],
    ['no', 0.7, 0],
    [null, undefined, 0.5],
    [null, 0.7, 0.7],
  ] as const)('has the outcome %j with the probability %j as %j', (outcome, sent, expected) => {
    const update = { nodeId: 'n1', outcome, ...(sent !== undefined && { probability: sent }) }
    expect(edited({ updates: [update] }).tree.nodes[0]).toMatchObject({
      outcome,
      probability: expected,
    })
  })

  it('watches a new kill condition again, and keeps an old one as it was handled', () => {
    const killCondition = { text: 'x', op: 'text', ticker: null, value: null } as const
    const handled = treeOf(node('n1', 1, { killCondition, killHandled: true }))
    const after = (update: object) =>
      edited({ updates: [{ nodeId: 'n1', ...update }] }, handled).tree.nodes[0]
    expect(after({ label: 'New' })).toMatchObject({ killCondition, killHandled: true })
    expect(after({ killCondition })).toMatchObject({ killCondition, killHandled: false })
    expect(after({ killCondition: null })).toMatchObject({
      killCondition: null,
      killHandled: false,
    })
  })

  it('keeps given importances and shares the rest in proportion', () => {
    const three = treeOf(node('n1', 0.5), node('n2', 0.3), node('n3', 0.2))
    const shape = shapeOf({ updates: [{ nodeId: 'n1', importance: 0.75 }] }, three)
    expect(shape).toEqual([
      ['n1', 0.75],
      ['n2', 0.15],
      ['n3', 0.1],
    ])
    const both = [
      { nodeId: 'n1', importance: 0.9 },
      { nodeId: 'n2', importance: 0.6 },
    ]
    expect(shapeOf({ updates: both }, three)).toEqual([
      ['n1', 0.6],
      ['n2', 0.4],
      ['n3', 0],
    ])
    // Weights that are all 0 stay so.
    const unweighed = treeOf(node('n1', 0), node('n2', 0))
    expect(shapeOf({ updates: [{ nodeId: 'n1', locked: true }] }, unweighed)).toEqual([
      ['n1', 0],
      ['n2', 0],
    ])
  })

  it('adds nodes under new numbers, behind their parent', () => {
    const { tree, changed } = edited({
      add: [
        { parentId: 'n1', label: 'Child', probability: 0.2, importance: 0.2, tickers: ['A'] },
        { parentId: null, label: 'Top', probability: 0.3 },
      ],
    })
    expect(tree.nodes.map(({ id, importance }) => [id, importance])).toEqual([
      ['n1', 0.6],
      ['n1.1', 0.4],
      ['n1.2', 0.4],
      ['n1.3', 0.2],
      ['n2', 0.4],
      ['n3', 0],
    ])
    expect(tree.nodes[3]).toMatchObject({
      label: 'Child',
      probability: 0.2,
      tickers: ['A'],
      origin: 'user',
      outcome: null,
      locked: false,
      killHandled: false,
      updatedAt: NOW,
    })
    expect(tree.numbered).toEqual({ '': 3, n1: 3 })
    expect(changed).toEqual(['n1.3', 'n3'])
  })

  it('removes nodes with all below them, and uses no number again', () => {
    expect(shapeOf({ remove: ['n1.1'] })).toEqual([
      ['n1', 0.6],
      ['n1.2', 1],
      ['n2', 0.4],
    ])
    const { tree } = edited({
      remove: ['n1'],
      add: [{ parentId: null, label: 'Top', probability: 0.3, importance: 0.5 }],
    })
    expect(tree.nodes.map(({ id, importance }) => [id, importance])).toEqual([
      ['n2', 0.5],
      ['n3', 0.5],
    ])
  })

  const chain = treeOf(...['n1', 'n1.1', 'n1.1.1', 'n1.1.1.1'].map((id) => node(id, 1)))
  const child = (parentId: string | null) => ({ parentId, label: 'x', probability: 0.5 })
  const wide = (count: number, prefix: string, ...before: TreeNode[]) =>
    treeOf(...before, ...Array.from({ length: count }, (_, n) => node(`${prefix}${n + 10}`, 0)))
  it.each([
    [{ updates: [{ nodeId: 'n9', locked: true }] }, TREE, 'nodeId n9 not found'],
    [{ add: [child('n9')] }, TREE, 'nodeId n9 not found'],
    [{ remove: ['n9'] }, TREE, 'nodeId n9 not found'],
    [{ remove: ['n1', 'n1.1'] }, TREE, 'nodeId n1.1 not found'],
    [{ remove: ['n1', 'n2'] }, TREE, 'the last top-level node cannot be removed'],
    [{ add: [child('n1.1.1')] }, chain, 'not refused'],
    [{ add: [child('n1.1.1.1')] }, chain, 'a tree has at most 4 levels'],
    [{ add: [child(null)] }, wide(11, 'n'), 'not refused'],
    [{ add: [child(null)] }, wide(12, 'n'), 'a thesis has at most 12 top-level nodes'],
    [{ add: [child('n1')] }, wide(7, 'n1.', node('n1', 1)), 'not refused'],
    [{ add: [child('n1')] }, wide(8, 'n1.', node('n1', 1)), 'a node has at most 8 children'],
    [{ add: [child(null)] }, wide(120, 'n1.', node('n1', 1)), 'a thesis has at most 120 nodes'],
  ])('is refused as a whole: %#', (edit, tree, message) => {
    expect(refusal(edit, tree)).toBe(message)
  })
})

describe('the weights of a tree', () => {
  it.each([
    [[], []],
    [
      [0, 0],
      [0, 0],
    ],
    [[1], [1]],
    [
      [1, 1, 1],
      [0.3333, 0.3333, 0.3334],
    ],
    [
      [2, 1, 1],
      [0.5, 0.25, 0.25],
    ],
    [
      [1, 1, 1, 0],
      [0.3333, 0.3333, 0.3334, 0],
    ],
  ])('%j are the shares %j', (weights, shares) => {
    expect(sharesOf(weights)).toEqual(shares)
  })

  it('give the confidence of the top level alone', () => {
    expect(confidenceOf([])).toBeNull()
    expect(confidenceOf([node('n1', 0)])).toBeNull()
    const nodes = [
      node('n1', 0.75, { probability: 0.8 }),
      node('n1.1', 1, { probability: 0 }),
      node('n2', 0.25, { probability: 0.4 }),
    ]
    expect(confidenceOf(nodes)).toBe(0.7)
    expect(nestedNodes(nodes)).toMatchObject([
      { id: 'n1', depth: 0, children: [{ id: 'n1.1', depth: 1, children: [] }] },
      { id: 'n2', depth: 0, children: [] },
    ])
    expect(nestedNodes(nodes)[0]).not.toHaveProperty('killHandled')
  })
})
