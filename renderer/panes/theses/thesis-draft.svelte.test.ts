import { describe, expect, it } from 'vitest'
import { thesisUnderTest } from '../../testing/theses.ts'
import { ThesisDraft } from './thesis-draft.svelte.ts'
import { editsOf, withoutNode } from './thesis-projection.ts'
import { flatNodes, layoutTree } from './thesis-tree.ts'

const thesis = thesisUnderTest()
const nodes = flatNodes(thesis.causalTree?.nodes ?? [])

// [terminal.theses.what-if]
describe('the draft of a tree', () => {
  it('projects confidence and edges by the functions of the service', () => {
    const draft = new ThesisDraft()
    expect(draft.projectionOf(thesis)?.confidence).toBe(0.55)
    draft.change('n1', { probability: 0.3 })
    const after = draft.projectionOf(thesis)
    // 0.75 × 0.3 + 0.25 × 0.4; the edge of 10 ¢ is bound to n1, which halves.
    expect(after?.confidence).toBe(0.325)
    expect(after?.edges.get('KXFED-26DEC')).toMatchObject({ newEdge: 5, signal: 'reduced' })
    expect(after?.nodes.get('n1')?.probability).toBe(0.3)
  })

  it('an outcome sets the probability, and a weight is shared with the siblings', () => {
    const draft = new ThesisDraft()
    draft.change('n1', { outcome: 'no' })
    draft.change('n2', { importance: 0.5 })
    const after = draft.projectionOf(thesis)
    expect(after?.confidence).toBe(0.2)
    expect(after?.nodes.get('n1')).toMatchObject({ probability: 0, importance: 0.5 })
  })

  it('undoes the steps of a slider together, and redoes them', () => {
    const draft = new ThesisDraft()
    for (const probability of [0.59, 0.5, 0.2]) draft.change('n1', { probability })
    draft.commit()
    draft.change('n1', { probability: 0.9 })
    expect(draft.undo()).toBe(true)
    expect(draft.edits.get('n1')).toEqual({ probability: 0.2 })
    draft.undo()
    expect(draft.isEmpty).toBe(true)
    expect(draft.undo()).toBe(false)
    draft.redo()
    draft.redo()
    expect(draft.edits.get('n1')).toEqual({ probability: 0.9 })
  })

  it('keeps the edits that were made while others were being saved', () => {
    const draft = new ThesisDraft()
    draft.change('n1', { probability: 0.3 })
    draft.change('n2', { label: 'Jobs' })
    const sent = draft.edits
    draft.change('n1', { probability: 0.9 })
    draft.change('n2', { locked: true })
    draft.wasSaved(sent, nodes)
    expect([...draft.edits]).toEqual([
      ['n1', { probability: 0.9 }],
      ['n2', { locked: true }],
    ])
    expect(draft.savedEdits).toEqual([
      { nodeId: 'n1', probability: 0.6 },
      { nodeId: 'n2', label: 'Condition n2' },
    ])
  })

  it('of a removed condition drops the edits of those below it', () => {
    const edits = editsOf([
      ['n1', { locked: true }],
      ['n1.1', { locked: true }],
      ['n10', { locked: true }],
    ])
    expect([...withoutNode(edits, 'n1').keys()]).toEqual(['n10'])
  })

  it('sends only what changes, and knows how to restore what was saved', () => {
    const draft = new ThesisDraft()
    draft.change('n2', { probability: 0.4, locked: true })
    draft.change('n1', { outcome: 'yes' })
    expect(draft.updates(nodes)).toEqual([
      { nodeId: 'n1', outcome: 'yes' },
      { nodeId: 'n2', locked: true },
    ])
    draft.wasSaved(draft.edits, nodes)
    expect(draft.savedEdits).toEqual([
      { nodeId: 'n1', outcome: null, probability: 0.6 },
      { nodeId: 'n2', locked: false },
    ])
    expect(draft.isEmpty).toBe(true)
  })
})

it('lays a tree out with parents centred on their children [terminal.theses.tree]', () => {
  const { boxes, lines, width, height } = layoutTree(nodes)
  const [root, first, below, second] = boxes
  expect(boxes.map(({ id }) => id)).toEqual(['', 'n1', 'n1.1', 'n2'])
  expect(first?.y).toBe(below?.y)
  expect(root?.y).toBe(((first?.y ?? 0) + (second?.y ?? 0)) / 2)
  expect(lines).toHaveLength(3)
  expect(width).toBeGreaterThan(below?.x ?? 0)
  expect(height).toBeGreaterThan(second?.y ?? 0)
})
