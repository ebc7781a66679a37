import { describe, expect, it } from 'vitest'
import type { ContagionLink } from '../../../backend/contract/indices.ts'
import { layoutBundle } from './bundle-layout.ts'
import { bundlesOf, recordHelp, recordText } from './contagion-bundles.ts'

const ref = (ticker: string, delta: number) => ({
  ticker,
  venue: 'venue_a' as const,
  title: `Is ${ticker}?`,
  price: 50,
  url: '',
  delta,
})
const link = (from: string, to: string, gap: number): ContagionLink => ({
  trigger: ref(from, 10),
  lagging: ref(to, 1),
  gap,
  relation: 'theme',
  direction: 'lagging',
  theme: null,
  strength: 0.5,
  window: '6h',
  detectedAt: '',
})

describe('bundlesOf', () => {
  const links = [link('A', 'B', 4), link('C', 'D', -9), link('A', 'E', -6)]

  it('groups gaps by their trigger, groups and gaps sorted widest first', () => {
    const bundles = bundlesOf(links, null)
    expect(bundles.map(({ trigger, widest }) => [trigger.ticker, widest])).toEqual([
      ['C', 9],
      ['A', 6],
    ])
    expect(bundles[1]?.links.map(({ lagging }) => lagging.ticker)).toEqual(['E', 'B'])
  })

  it('keeps the groups that contain a market on either side', () => {
    expect(bundlesOf(links, 'B').map(({ trigger }) => trigger.ticker)).toEqual(['A'])
    expect(bundlesOf(links, 'C')).toHaveLength(1)
    expect(bundlesOf(links, 'Z')).toEqual([])
  })
})

describe('the record of a kind', () => {
  const record = {
    kind: 'ladder',
    n: 240,
    hitRate: 0.44,
    unproven: true,
    closed: [
      { hours: 1, share: 0.1, n: 230 },
      { hours: 24, share: 0.413, n: 212 },
    ],
  }

  it('states the share of the longest known span', () => {
    expect(recordText(record)).toBe('closed 24 h: 41% of 212')
    expect(recordHelp(record)).toContain('no evidence yet that gaps of this kind close')
  })

  it('states that no gap was followed up yet', () => {
    const young = { ...record, closed: [], hitRate: null, unproven: false, n: 3 }
    expect(recordText(young)).toBe('3 reported, none followed up yet')
    expect(recordHelp(young)).toBe('none is one day old yet')
  })
})

it('draws at most seven laggards, and counts the rest', () => {
  const many = Array.from({ length: 10 }, (_, index) => link('A', `B${index}`, 10 - index))
  const [bundle] = bundlesOf(many, null)
  const drawing = layoutBundle(bundle!)
  expect(drawing.laggards).toHaveLength(7)
  expect(drawing.hiddenCount).toBe(3)
  for (const { y } of drawing.laggards) expect(y).toBeLessThan(drawing.height)
})

it('a gap in the other direction is as wide, and half of a percent is rounded', () => {
  const record = { kind: 'ladder', n: 2, hitRate: null, unproven: false, closed: [] }
  expect(recordText(record)).toBe('2 reported, none followed up yet')
  expect(recordHelp(record)).toBe('none is one day old yet')
})

it('seven laggards are drawn below each other, the others counted', () => {
  const links = Array.from({ length: 9 }, (_, index) => link('A', `B${index}`, 9 - index))
  const [bundle] = bundlesOf(links, null)
  if (bundle === undefined) throw new Error('no bundle')
  const drawing = layoutBundle(bundle)
  expect(drawing).toMatchObject({
    width: 530,
    height: 414,
    trigger: { x: 0, y: 181 },
    laggardX: 320,
    hiddenCount: 2,
  })
  expect(drawing.laggards.map(({ y }) => y)).toEqual([1, 61, 121, 181, 241, 301, 361])
  expect(drawing.laggards[0]?.path).toBe('M 210 207 C 265 207, 265 27, 320 27')
})
