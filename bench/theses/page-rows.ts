import { editsOf, projectedBy } from '../../renderer/panes/theses/thesis-projection.ts'
import { nodeUnderTest, thesisUnderTest } from '../../renderer/testing/theses.ts'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../rounds.ts'

/** 12 conditions with eight below each and one below the first of these: the largest tree. */
const [TOP, BELOW] = [12, 8]
const CONDITIONS = TOP * (1 + BELOW + 1)
const EDGES = 100
const ROUNDS = 200

/** A what-if of the largest tree with the most edges, as the page computes it for each step of a slider. */
export function whatIfRow(): BenchRow {
  const base = thesisUnderTest()
  const [edge] = base.edgeAnalysis?.edges ?? []
  if (base.causalTree === null || base.edgeAnalysis === null || edge === undefined) {
    throw new Error('the thesis has no edge')
  }
  const nodes = Array.from({ length: TOP }, (_, top) =>
    nodeUnderTest(`n${top + 1}`, 0.5, 1 / TOP, {
      children: Array.from({ length: BELOW }, (__, below) =>
        nodeUnderTest(`n${top + 1}.${below + 1}`, 0.5, 1 / BELOW, {
          children: below === 0 ? [nodeUnderTest(`n${top + 1}.1.1`, 0.5, 1)] : [],
        }),
      ),
    }),
  )
  const edges = Array.from({ length: EDGES }, (_, n) => ({
    ...edge,
    marketId: `KXBENCH-${n}`,
    relatedNodeId: `n${(n % TOP) + 1}`,
  }))
  const thesis = {
    ...base,
    causalTree: { ...base.causalTree, nodes },
    edgeAnalysis: { ...base.edgeAnalysis, edges },
  }
  const spans = Array.from({ length: ROUNDS }, (_, round) => {
    const edits = editsOf(
      nodes.map(({ id }, n) => [id, { probability: ((round + n) % 100) / 100 }] as const),
    )
    const began = performance.now()
    const projection = projectedBy(edits, thesis)
    const span = performance.now() - began
    const isWhole = projection?.nodes.size === CONDITIONS && projection.edges.size === EDGES
    if (!isWhole) throw new Error('conditions or edges are missing')
    return span
  })
  return {
    name: `what-if of ${CONDITIONS} conditions and ${EDGES} edges by the function of the page`,
    ours: median(spans),
    baseline: null,
    unit: 'ms',
    ratio: null,
    goal: '≤ 5 ms',
    note: `median of ${ROUNDS} with ${TOP} conditions edited, the slowest ${Math.max(...spans).toFixed(1)} ms`,
  }
}
