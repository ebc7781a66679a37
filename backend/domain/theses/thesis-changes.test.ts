import { expect, it } from 'vitest'
import { changedEdges, changedNodes } from './thesis-changes.ts'

type State = Parameters<typeof changedNodes>[0]
const stateOf = (
  probabilities: Readonly<Record<string, number>>,
  edges: Readonly<Record<string, number>> = {},
) =>
  ({
    tree: {
      nodes: Object.entries(probabilities).map(([id, probability]) => ({
        id,
        label: `Condition ${id}`,
        probability,
      })),
    },
    edges: Object.entries(edges).map(([ticker, edge]) => ({
      ticker,
      title: `Question ${ticker}`,
      thesisPrice: 50 + edge,
      evaluatedPrice: 50,
    })),
  }) as unknown as State

it('lists conditions whose probability changed, the largest change first', () => {
  const changes = changedNodes(
    stateOf({ n1: 0.5, n2: 0.5, n3: 0.5 }),
    stateOf({ n1: 0.6, n2: 0.5, n3: 0.2, n4: 0.9 }),
  )
  expect(changes).toEqual([
    { nodeId: 'n3', label: 'Condition n3', from: 0.5, to: 0.2 },
    { nodeId: 'n1', label: 'Condition n1', from: 0.5, to: 0.6 },
  ])
  expect(changedNodes({ tree: null, edges: [] }, stateOf({ n1: 0.5 }))).toEqual([])
})

it('lists edges that appeared, disappeared, flipped or moved by two cents', () => {
  const changes = changedEdges(
    stateOf({}, { KXA: 5, KXB: 5, KXC: 1, KXD: 5, KXE: 5 }),
    stateOf({}, { KXB: 7, KXC: -0.5, KXD: 6.99, KXE: 5, KXF: 9 }),
  )
  expect(changes.map(({ marketId, market, ...change }) => [marketId, market, change])).toEqual([
    ['KXF', 'Question KXF', { fromEdge: null, toEdge: 9, kind: 'new' }],
    ['KXA', 'Question KXA', { fromEdge: 5, toEdge: null, kind: 'gone' }],
    ['KXB', 'Question KXB', { fromEdge: 5, toEdge: 7, kind: 'moved' }],
    ['KXC', 'Question KXC', { fromEdge: 1, toEdge: -0.5, kind: 'flipped' }],
  ])
})
