import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { maximumMatching } from './assignment.ts'
import type { WeightedEdge } from './assignment.ts'

const edge = (left: number, right: number, weight: number): WeightedEdge => ({
  left,
  right,
  weight,
})
const total = (edges: readonly WeightedEdge[]): number =>
  edges.reduce((sum, { weight }) => sum + weight, 0)

/** Maximum total by trying every choice. */
function bestTotal(edges: readonly WeightedEdge[]): number {
  const [first, ...rest] = edges
  if (first === undefined) return 0
  const free = rest.filter(({ left, right }) => left !== first.left && right !== first.right)
  return Math.max(bestTotal(rest), first.weight + bestTotal(free))
}

describe('maximumMatching', () => {
  it('drops the best match when two others have more total weight', () => {
    const edges = [edge(0, 0, 0.9), edge(0, 1, 0.8), edge(1, 0, 0.8)]
    expect(maximumMatching(edges)).toEqual([edge(0, 1, 0.8), edge(1, 0, 0.8)])
  })

  it('has the maximum total weight, each end once, in a fixed order', () => {
    const place = fc.integer({ min: 0, max: 4 })
    const edges = fc.uniqueArray(
      fc.record({ left: place, right: place, weight: fc.integer({ min: 1, max: 100 }) }),
      {
        selector: ({ left, right }) => `${left} ${right}`,
        maxLength: 10,
      },
    )
    fc.assert(
      fc.property(edges, (list) => {
        const matched = maximumMatching(list)
        expect(new Set(matched.map(({ left }) => left)).size).toBe(matched.length)
        expect(new Set(matched.map(({ right }) => right)).size).toBe(matched.length)
        expect(total(matched)).toBe(bestTotal(list))
      }),
    )
  })

  it('matches greedily when a group is too large', () => {
    const edges = Array.from({ length: 500 }, (_, i) => [
      edge(i, i, 1),
      edge(i, (i + 1) % 500, 0.5),
    ])
    expect(maximumMatching(edges.flat())).toHaveLength(500)
    expect(maximumMatching([])).toEqual([])
  })
})
