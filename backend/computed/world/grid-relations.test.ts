import { describe, expect, it } from 'vitest'
import type { Cents } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { gridMarket, gridOf, marketPair } from '../../testing/grid-builders.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { pairEdgesOf, relationsOf } from './grid-relations.ts'
import { LadderRungs, rungOf } from './ladder-rungs.ts'

const market = (ticker: string, mark: number, before: number) =>
  gridMarket({
    view: marketView({ price: mark, facts: { ticker } }),
    theme: 'iran',
    marksAgo: { '1h': null, '6h': before as Cents, '24h': null, '3d': null },
  })
const link = (kind: 'thematic' | 'ladder', i: string, j: string, priorBeta: number | null) => ({
  ...{ i, j, kind, sign: 1 as const, priorBeta, confidence: 0.5 },
})

describe('relations of a grid', () => {
  it('hold the best counterpart of each side of a pair', () => {
    const pair = marketPair({ a: 'KXA', b: '0xb', inverted: true, confidence: 0.9 })
    const { pairs, duplicates } = relationsOf(gridOf([], { pairs: [pair] }))
    expect(pairs.get('KXA')).toEqual({ ticker: '0xb', confidence: 0.9, inverted: true })
    expect(pairs.get('0xb')).toEqual({ ticker: 'KXA', confidence: 0.9, inverted: true })
    expect(duplicates).toEqual([pair])
  })

  it('hold thematic links both ways, by the estimated response where there is one', () => {
    const links = [link('thematic', 'KXA', 'KXB', 0.3), link('ladder', 'KXA', 'KXC', 1)]
    const betaOf = (from: string, to: string) => (from === 'KXA' && to === 'KXB' ? 0.8 : null)
    const { thematic } = relationsOf(gridOf([], { links, betaOf }))
    expect(thematic.get('KXB')).toEqual([{ ticker: 'KXA', beta: 0.8 }])
    expect(thematic.get('KXA')).toEqual([{ ticker: 'KXB', beta: 0.3 }])
    expect(thematic.has('KXC')).toBe(false)
  })

  it('hold the gaps of six hours with both moves', () => {
    const gap = {
      ...{ trigger: 'KXA', lagging: 'KXB', expected: 9, gap: 8, z: 3, strength: 0.4 },
      ...{ direction: 'lagging' as const, relation: 'theme' as const },
      link: link('thematic', 'KXA', 'KXB', 0.3),
    }
    const grid = gridOf([market('KXA', 60, 33), market('KXB', 21, 20)], {
      gaps: (window) => (window === '6h' ? [gap, { ...gap, lagging: 'KXGONE' }] : []),
    })
    expect(relationsOf(grid).divergences).toEqual([
      {
        ...{ trigger: 'KXA', lagging: 'KXB', triggerMove: 27, laggingMove: 1, gap: 8, z: 3 },
        ...{ confidence: 0.5, relation: 'theme', direction: 'lagging', theme: 'iran' },
      },
    ])
  })

  it('offer the best tradable pair of a market, and no other', () => {
    const edge = (net: number) => ({ net, cost: 100 - net, size: 10, buyYes: 'a' as const })
    const row = (b: string, net: number | null, isTradable = true) => ({
      pair: marketPair({ a: 'KXA', b }),
      ...{ edge: net === null ? null : edge(net), executableGap: null, yieldPct: 9, isTradable },
    })
    const rows = [row('0x1', 2), row('0x2', 4), row('0x3', null), row('0x4', 9, false)]
    const crossVenue = new Map(rows.map((one) => [one.pair.id, one]))
    const edges = pairEdgesOf(gridOf([], { crossVenue }))
    expect([...edges]).toEqual([
      ['KXA', { net: 4, yieldPct: 9 }],
      ['0x1', { net: 2, yieldPct: 9 }],
      ['0x2', { net: 4, yieldPct: 9 }],
    ])
  })
})

describe('the rung of a market', () => {
  const rung = (title: string, subtitle: string | null = null) =>
    rungOf(marketFacts({ title, subtitle, eventId: 'E' }))
  it('is its strike or its day', () => {
    expect(rung('Will Bitcoin close above $70,000?')).toEqual({ ladder: 'E|1', at: 70_000 })
    expect(rung('Will Bitcoin close below $70,000?')?.ladder).toBe('E|-1')
    expect(rung('Will the strait reopen by March 31, 2027?')).toEqual({
      ladder: 'E|by',
      at: Date.UTC(2027, 2, 31),
    })
  })
  it('is none of a range or of what has neither', () => {
    expect(rung('Will Bitcoin be between $60,000 and $70,000?')).toBeNull()
    expect(rung('Will the ceasefire hold?')).toBeNull()
  })
  it('is read again when the texts change', () => {
    const rungs = new LadderRungs()
    const facts = marketFacts({ title: 'Will Bitcoin close above $70,000?' })
    const first = rungs.of(facts)
    expect(rungs.of({ ...facts })).toBe(first)
    expect(rungs.of({ ...facts, title: 'Will Bitcoin close above $80,000?' })?.at).toBe(80_000)
    rungs.keep(new Set())
    expect(rungs.of(facts)).not.toBe(first)
  })
})
