import { describe, expect, it } from 'vitest'
import { flatNodes, layoutTree, movesSince, nodesById } from './thesis-tree.ts'
import { nodeUnderTest } from '../../testing/theses.ts'

const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`

it('conditions are flat in the order of the tree, without those below', () => {
  const child = nodeUnderTest('n1.1', 0.5, 1)
  const nodes = [
    nodeUnderTest('n1', 0.6, 1, { children: [child] as never }),
    nodeUnderTest('n2', 0.4, 1),
  ]
  const flat = flatNodes(nodes)
  expect(flat.map(({ id }) => id)).toEqual(['n1', 'n1.1', 'n2'])
  expect(flat[0]).not.toHaveProperty('children')
  expect(nodesById(flat).get('n1.1')?.probability).toBe(0.5)
})

describe('the change of conditions', () => {
  const evaluation = (minute: number, n1: number) => ({
    evaluatedAt: at(minute),
    nodeProbabilities: { n1 },
  })
  const nodes = [
    { id: 'n1', probability: 0.6 },
    { id: 'new', probability: 0.2 },
  ]
  const newest = [evaluation(5, 0.6), evaluation(3, 0.5), evaluation(1, 0.25)]
  it.each([
    ['the last evaluation up to the instant', newest, at(3), [['n1', 0.6 - 0.5]]],
    ['the oldest one when all are newer', newest, at(0), [['n1', 0.6 - 0.25]]],
    ['one that has the same value', newest, at(5), []],
    ['no evaluation', [], at(5), []],
  ] as const)('counts from %s', (_, evaluations, from, moves) => {
    expect([...movesSince(evaluations, nodes, Date.parse(from))]).toEqual(moves)
  })
})

describe('the drawing of a tree', () => {
  it('has the claim on the left, centred on its conditions, with lines to each', () => {
    const { boxes, lines, width, height } = layoutTree(
      ['n1', 'n1.1', 'n1.2', 'n2'].map((id) => ({ id })),
    )
    expect(boxes).toEqual([
      { id: '', x: 1, y: 71 },
      { id: 'n1', x: 255, y: 29 },
      { id: 'n1.1', x: 509, y: 1 },
      { id: 'n1.2', x: 509, y: 57 },
      { id: 'n2', x: 255, y: 113 },
    ])
    expect(lines.map(({ id }) => id)).toEqual(['n1', 'n1.1', 'n1.2', 'n2'])
    expect(lines[0]?.path).toBe('M 211 94 C 233 94, 233 52, 255 52')
    expect([width, height]).toEqual([720, 160])
  })

  it('is the claim alone without conditions', () => {
    expect(layoutTree([])).toEqual({
      width: 212,
      height: 48,
      boxes: [{ id: '', x: 1, y: 1 }],
      lines: [],
    })
  })
})
