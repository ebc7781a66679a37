import { describe, expect, it } from 'vitest'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import type { Cents } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { FakeBoard } from '../../testing/fake-board.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { ladderRungsOf, pairEdgesOf, relationsOf } from './snapshot-relations.ts'
import { worldMarkets } from './world-markets.ts'

const market = (ticker: string, mark: number, before: number) =>
  marketQuantities({
    view: marketView({ price: mark, facts: { ticker } }),
    theme: 'iran',
    marksAgo: { '1h': null, '6h': before as Cents, '24h': null, '3d': null },
  })
const link = (kind: 'thematic' | 'ladder', i: string, j: string, priorBeta: number | null) => ({
  i,
  j,
  kind,
  sign: 1 as const,
  priorBeta,
  confidence: 0.5,
})

describe('relations of a snapshot', () => {
  it('hold the best counterpart of each side of a pair', () => {
    const pair = marketPair({ a: 'KXA', b: '0xb', inverted: true, confidence: 0.9 })
    const { pairs, duplicates } = relationsOf(contextSnapshotOf([], { pairs: [pair] }))
    expect(pairs.get('KXA')).toEqual({ ticker: '0xb', confidence: 0.9, inverted: true })
    expect(pairs.get('0xb')).toEqual({ ticker: 'KXA', confidence: 0.9, inverted: true })
    expect(duplicates).toEqual([pair])
  })

  it('hold thematic links both ways, by the estimated response if there is one', () => {
    const links = [link('thematic', 'KXA', 'KXB', 0.3), link('ladder', 'KXA', 'KXC', 1)]
    const betaOf = (from: string, to: string) => (from === 'KXA' && to === 'KXB' ? 0.8 : null)
    const { thematic } = relationsOf(contextSnapshotOf([], { links, betaOf }))
    expect(thematic.get('KXB')).toEqual([{ ticker: 'KXA', beta: 0.8 }])
    expect(thematic.get('KXA')).toEqual([{ ticker: 'KXB', beta: 0.3 }])
    expect(thematic.has('KXC')).toBe(false)
  })

  it('hold the gaps of six hours with both moves', () => {
    const gap = {
      trigger: 'KXA',
      lagging: 'KXB',
      expected: 9,
      gap: 8,
      z: 3,
      strength: 0.4,
      direction: 'lagging' as const,
      relation: 'theme' as const,
      link: link('thematic', 'KXA', 'KXB', 0.3),
    }
    const snapshot = contextSnapshotOf([market('KXA', 60, 33), market('KXB', 21, 20)], {
      gaps: (window) => (window === '6h' ? [gap, { ...gap, lagging: 'KXGONE' }] : []),
    })
    expect(relationsOf(snapshot).divergences).toEqual([
      {
        trigger: 'KXA',
        lagging: 'KXB',
        triggerMove: 27,
        laggingMove: 1,
        gap: 8,
        z: 3,
        confidence: 0.5,
        relation: 'theme',
        direction: 'lagging',
        theme: 'iran',
      },
    ])
  })

  it('offer the best tradable pair of a market, and no other', () => {
    const edge = (net: number) => ({ net, cost: 100 - net, size: 10, buyYes: 'a' as const })
    const row = (b: string, net: number | null, isTradable = true) => ({
      pair: marketPair({ a: 'KXA', b }),
      edge: net === null ? null : edge(net),
      executableGap: null,
      yieldPct: 9,
      isTradable,
    })
    const rows = [row('0x1', 2), row('0x2', 4), row('0x3', null), row('0x4', 9, false)]
    const crossVenue = new Map(rows.map((one) => [one.pair.id, one]))
    const edges = pairEdgesOf(contextSnapshotOf([], { crossVenue }))
    expect([...edges]).toEqual([
      ['KXA', { net: 4, yieldPct: 9, pair: 'KXA~0x2' }],
      ['0x1', { net: 2, yieldPct: 9, pair: 'KXA~0x1' }],
      ['0x2', { net: 4, yieldPct: 9, pair: 'KXA~0x2' }],
    ])
  })
})

describe('the rungs of a snapshot', () => {
  const ladder = (name: string, ...places: number[]) => ({
    venue: 'venue_a' as const,
    eventId: 'E',
    kind: 'above' as const,
    rungs: places.map((at) => ({ ticker: `${name}-${at}`, at })),
  })
  it('come from ladders with at least two rungs, each ladder separately', () => {
    const ladders = [ladder('KXONE', 1), ladder('KXA', 1, 2, 3), ladder('KXB', 1, 2, 3)]
    const rungs = ladderRungsOf(contextSnapshotOf([], { ladders }))
    expect(rungs.has('KXONE-1')).toBe(false)
    expect(rungs.get('KXA-3')?.at).toBe(3)
    expect(rungs.get('KXA-1')?.ladder).toBe(rungs.get('KXA-3')?.ladder)
    expect(rungs.get('KXA-1')?.ladder).not.toBe(rungs.get('KXB-1')?.ladder)
  })
  it('place markets of the world, except exclusive ones', () => {
    const ladders = [ladder('KXA', 1, 2, 3), ladder('KXB', 1, 2, 3)]
    const markets = ladders.flatMap(({ rungs }) =>
      rungs.map(({ ticker }) =>
        marketQuantities({
          view: marketView({ facts: { ticker, exclusive: ticker.startsWith('KXB') } }),
        }),
      ),
    )
    const board = new FakeBoard(markets.map(({ view }) => view)).live()
    const read = runToCompletion(
      worldMarkets(board, contextSnapshotOf(markets, { ladders }), new Map()),
    )
    expect(read.map(({ ticker, rung }) => [ticker, rung?.at ?? null])).toEqual([
      ...[1, 2, 3].map((at) => [`KXA-${at}`, at]),
      ...[1, 2, 3].map((at) => [`KXB-${at}`, null]),
    ])
  })
})
