import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { expectedEdge } from './expected-edge.ts'
import type { ThesisPricing } from './expected-edge.ts'
import type { Cents } from '../units.ts'

const pricing = (more: Partial<ThesisPricing> & { price?: number } = {}): ThesisPricing => ({
  thesisId: 'a',
  thesisPrice: (more.price ?? 35) as Cents,
  executableEdge: 10,
  isActive: true,
  isPublic: true,
  ownerId: 'ann',
  ...more,
})
const price = 22 as Cents

describe('A6: expected edge', () => {
  it.each([
    [35, 13, 'yes'],
    [15, -7, 'no'],
    [22, 0, null],
  ])('thesis %s against 22 is %s, %s', (thesis, ee, direction) => {
    expect(expectedEdge([pricing({ price: thesis })], price, null)).toEqual({
      ee,
      direction,
      eeSource: 'thesis',
      thesisId: 'a',
    })
  })
  it('uses the edge with the highest value after costs, of either sign', () => {
    const edges = [
      pricing({ thesisId: 'b', price: 90, executableEdge: null }),
      pricing({ thesisId: 'c', price: 10, executableEdge: -11 }),
      pricing(),
      pricing({ thesisId: 'd', price: 12, executableEdge: 11 }),
    ]
    expect(expectedEdge(edges, price, null)).toMatchObject({ thesisId: 'c', ee: -12 })
    expect(expectedEdge(edges.slice(0, 1), price, null).ee).toBe(68)
  })
  it('shows private theses to their owner only, and no ended ones', () => {
    const own = pricing({ isPublic: false })
    expect(expectedEdge([own], price, null).ee).toBeNull()
    expect(expectedEdge([own], price, 'bob').ee).toBeNull()
    expect(expectedEdge([own], price, 'ann').ee).toBe(13)
    expect(expectedEdge([pricing({ isActive: false })], price, 'ann').ee).toBeNull()
  })
  it('is unknown without a price or a thesis', () => {
    const none = { ee: null, eeSource: null, direction: null, thesisId: null }
    expect(expectedEdge([pricing()], null, null)).toEqual(none)
    expect(expectedEdge([], price, null)).toEqual(none)
  })
  it('does not depend on the order of the edges', () => {
    const edge = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      worth: fc.option(fc.integer({ min: -3, max: 3 })),
    })
    fc.assert(
      fc.property(fc.uniqueArray(edge, { selector: ({ id }) => id }), (edges) => {
        const list = edges.map(({ id, worth }) =>
          pricing({ thesisId: id, price: id.charCodeAt(0) - 60, executableEdge: worth }),
        )
        expect(expectedEdge(list.toReversed(), price, null)).toEqual(
          expectedEdge(list, price, null),
        )
      }),
    )
  })
})
