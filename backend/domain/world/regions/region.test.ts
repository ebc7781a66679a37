import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../../testing/world-markets.ts'
import { runToCompletion } from '../../cooperative-steps.ts'
import type { WorldMarket } from '../world-market.ts'
import { focusPath, isInRegion, regionOf, seriesSlug } from './region.ts'
import { childRegions } from './region-tree.ts'
import { buildWorld, type WorldInput } from '../world.ts'

const SERIES = new Map([['kxhormuz', 'Hormuz traffic']])
const region = (...path: string[]) => {
  const found = regionOf(path, SERIES)
  if (found === null) throw new Error('no such region')
  return found
}
const worldOf = (markets: readonly WorldMarket[], fields: Partial<WorldInput> = {}) =>
  buildWorld({
    at: NOON_ISH,
    baseline: { at: NOON_ISH, reason: 'last 12h' },
    markets,
    duplicates: [],
    divergences: [],
    pairs: new Map(),
    thematic: new Map(),
    gauges: [],
    memory: new Map(),
    ...fields,
  })
const ADDRESSES = { baseUrl: 'http://127.0.0.1:4870', appUrl: 'http://127.0.0.1:4870' }

describe('regions', () => {
  it('are named by topics, groups, series and words', () => {
    expect(region()).toMatchObject({ path: [], label: 'World', keywords: [] })
    expect(region('OIL')).toMatchObject({ path: ['oil'], label: 'Oil & Energy' })
    expect(region('geopolitics', 'iran').trail).toEqual(['World', 'Geopolitics', 'Iran'])
    expect(region('kxhormuz').label).toBe('Hormuz traffic')
    expect(region('strait-of-hormuz')).toMatchObject({
      label: 'strait of hormuz',
      keywords: ['strait-of-hormuz'],
    })
  })

  it('take six segments of 64 characters', () => {
    expect(
      regionOf(
        Array.from({ length: 6 }, () => 'x'.repeat(64)),
        SERIES,
      ),
    ).not.toBeNull()
    expect(
      regionOf(
        Array.from({ length: 7 }, () => 'x'),
        SERIES,
      ),
    ).toBeNull()
    expect(regionOf(['x'.repeat(65)], SERIES)).toBeNull()
  })

  it('narrow with every segment', () => {
    const market = worldMarket({
      title: 'Will Iran close the Strait of Hormuz?',
      topics: ['iran', 'oil'],
      seriesId: 'KXHORMUZ',
    })
    const holds = (...path: string[]) => isInRegion(market, region(...path))
    expect(holds()).toBe(true)
    expect([holds('iran'), holds('geopolitics', 'iran'), holds('energy', 'iran')]).not.toContain(
      false,
    )
    expect([holds('iran', 'hormuz-strait'), holds('kxhormuz')]).not.toContain(false)
    expect([holds('china'), holds('iran', 'ceasefire'), holds('crypto', 'iran')]).not.toContain(
      true,
    )
    expect([holds('stra'), holds('---')]).not.toContain(true)
  })

  it('match folded words in subtitle, event title and topics', () => {
    const market = worldMarket({
      subtitle: 'Señor Muñoz',
      eventTitle: 'Who wins?',
      topics: ['oil'],
    })
    expect(isInRegion(market, region('munoz-wins-oil'))).toBe(true)
    expect(isInRegion(market, region('MUÑOZ'))).toBe(true)
  })

  it('accept any segment', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 6 }),
        (path) => {
          const found = regionOf(path, SERIES)
          if (found !== null) isInRegion(worldMarket(), found)
        },
      ),
    )
  })

  it('represent a former focus', () => {
    expect(focusPath('geo')).toEqual(['geopolitics'])
    expect(focusPath('nonsense, elections')).toEqual(['election-2026'])
    expect(focusPath('Hormuz')).toEqual(['hormuz'])
    expect(focusPath(' , ')).toEqual([])
  })
})

describe('child regions', () => {
  const series = (ticker: string, seriesId: string, volume24hUsd: number) =>
    worldMarket({
      ticker,
      seriesId,
      seriesTitle: `All ${seriesId}`,
      topics: ['iran'],
      volume24hUsd,
    })
  const markets = [
    series('A1', 'KXA', 10),
    series('A2', 'KXA', 10),
    series('B1', 'KXB', 100),
    series('B2', 'KXB', 100),
    series('LONE', 'KXLONE', 9_999),
    worldMarket({ ticker: 'BTC', topics: ['bitcoin'] }),
  ]
  const world = worldOf(markets)
  const below = (path: string[], depth: number) => {
    const found = regionOf(path, world.series)
    if (found === null) throw new Error('no such region')
    const inside = markets.filter((market) => isInRegion(market, found))
    return runToCompletion(childRegions(world, found, inside, depth, ADDRESSES))
  }

  it('of the root are the topics with markets, in tree order', () => {
    expect(below([], 1)?.map(({ name, teaser }) => [name, teaser])).toEqual([
      ['iran', '5 markets'],
      ['bitcoin', '1 market'],
    ])
  })

  it('of a group are its topics, of a topic its series with two markets', () => {
    expect(below(['geopolitics'], 2)).toMatchObject([
      {
        name: 'iran',
        url: 'http://127.0.0.1:4870/api/agent/world/geopolitics/iran',
        childRegions: [
          { name: 'kxb', label: 'All KXB', marketCount: 2 },
          { name: 'kxa', marketCount: 2, salientCount: 0 },
        ],
      },
    ])
  })

  it('are absent at depth 0 and empty under series and words', () => {
    expect(below([], 0)).toBeUndefined()
    expect(below(['kxa'], 3)).toEqual([])
    expect(below(['iran', 'question'], 1)).toEqual([])
    expect(below([], 1)?.[0]).not.toHaveProperty('childRegions')
  })

  it('are found by their own name', () => {
    expect(seriesSlug(worldMarket({ seriesId: 'KX_Iran Deal' }))).toBe('kx-iran-deal')
    expect(seriesSlug(worldMarket({ seriesId: null }))).toBeNull()
  })
})
