import { describe, expect, it } from 'vitest'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities, marketPair } from '../../testing/snapshot-builders.ts'
import { crossVenueEdges } from './implied-edges.ts'

describe('the edge of a pair', () => {
  const markets = new Map(
    ['KXA', '0xb'].map((ticker) => [
      ticker,
      marketQuantities({ view: marketView({ facts: { ticker } }) }),
    ]),
  )
  const isTradable = async (fields: Partial<ReturnType<typeof marketPair>>) => {
    const pair = marketPair({ a: 'KXA', b: '0xb', ...fields })
    const edges = await crossVenueEdges([pair], markets, () => Promise.resolve(new Map()))
    return edges.get(pair.id)?.isTradable
  }
  it('is not traded where the rules of the venues differ, however sure the pair', async () => {
    expect(await isTradable({})).toBe(true)
    expect(await isTradable({ qualifiers: ['deadline'] })).toBe(false)
    expect(await isTradable({ confidence: 0.79 })).toBe(false)
  })
})
