import { describe, expect, it } from 'vitest'
import { treeNode } from '../../testing/tree-node.ts'
import { whatIf } from './what-if.ts'

const nodes = [
  treeNode('n1', { probability: 0.6, importance: 0.5 }),
  treeNode('n1.1', { probability: 0.9, importance: 1 }),
  treeNode('n2', { probability: 0.4, importance: 0.3 }),
  treeNode('n3', { probability: 0.7, importance: 0.2 }),
]
const edge = (marketPrice: number | null, thesisPrice: number, relatedNodeId: string | null) => ({
  marketPrice,
  thesisPrice,
  relatedNodeId,
})
const projectionOf = (overrides: Record<string, number>, one: ReturnType<typeof edge>) =>
  whatIf(nodes, new Map(Object.entries(overrides)), [one]).edges[0]?.projected

describe('what-if', () => {
  it('follows the worked examples of the methodology', () => {
    expect(projectionOf({ n1: 0.3 }, edge(22, 35, 'n1'))).toEqual({
      newThesisPrice: 28.5,
      oldEdge: 13,
      newEdge: 6.5,
      delta: -6.5,
      signal: 'reduced',
    })
    expect(projectionOf({ n1: 0.3 }, edge(49, 35, 'n1'))).toMatchObject({
      newThesisPrice: 42,
      newEdge: -7,
      signal: 'reduced',
    })
  })

  it('takes the confidence from the top level alone', () => {
    expect(whatIf(nodes, new Map([['n1.1', 0.1]]), [])).toMatchObject({
      oldConfidence: 0.56,
      newConfidence: 0.56,
    })
    expect(whatIf(nodes, new Map([['n1', 0]]), []).newConfidence).toBe(0.26)
  })

  it('moves an edge with its nearest changed ancestor, one without a node with the confidence', () => {
    expect(projectionOf({ n1: 0.3 }, edge(20, 40, 'n1.1'))?.newEdge).toBe(10)
    expect(projectionOf({ n1: 0.3, 'n1.1': 0.9 }, edge(20, 40, 'n1.1'))?.newEdge).toBe(20)
    expect(projectionOf({ n2: 0.1 }, edge(20, 40, 'n1'))?.signal).toBe('unchanged')
    expect(projectionOf({ n1: 0 }, edge(20, 40, null))?.newEdge).toBe(9.29)
  })

  it('bounds the factor and the price, and calls small edges gone', () => {
    expect(projectionOf({ n2: 1 }, edge(20, 40, 'n2'))?.newEdge).toBe(40)
    expect(projectionOf({ n1: 1 }, edge(50, 95, 'n1'))?.newThesisPrice).toBe(100)
    expect(projectionOf({ n1: 0 }, edge(20, 40, 'n1'))?.signal).toBe('gone')
    expect(projectionOf({ n1: 0.57 }, edge(20, 35, 'n1'))?.signal).toBe('unchanged')
    expect(projectionOf({ n1: 0.3 }, edge(null, 40, 'n1'))).toMatchObject({
      newEdge: null,
      delta: null,
    })
  })

  it('lists the largest change first and unpriced markets last', () => {
    const edges = [edge(null, 40, 'n1'), edge(20, 24, 'n1'), edge(20, 60, 'n1')]
    const found = whatIf(nodes, new Map([['n1', 0.3]]), edges).edges
    expect(found.map(({ projected }) => projected.delta)).toEqual([-20, -2, null])
  })
})
