import { describe, expect, it } from 'vitest'
import type { PairedEdge } from '../domain/edges/implied-edges.ts'
import type { Cents } from '../domain/units.ts'
import { marketView } from '../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../testing/snapshot-builders.ts'
import type { EventEdges } from './snapshot/context-snapshot.ts'
import { marketEdges } from './market-edges.ts'

const priced = (ticker: string, price: number, eventId = 'E') =>
  marketQuantities({
    view: marketView({
      price,
      mark: price as Cents,
      bid: price - 1,
      ask: price + 1,
      facts: { ticker, eventId },
    }),
  })

describe('edges of a market', () => {
  const pairSnapshot = (edge: PairedEdge | null, inverted = false, isTradable = true) => {
    const pair = marketPair({ a: 'A', b: 'B', inverted, confidence: 0.85 })
    const found = { pair, edge, executableGap: null, yieldPct: null, isTradable }
    return contextSnapshotOf([priced('A', 40), priced('B', inverted ? 52 : 48)], {
      pairs: [pair],
      crossVenue: new Map([[pair.id, found]]),
    })
  }
  const bought: PairedEdge = { net: 5, cost: 95, size: 100, buyYes: 'a' }

  it('of a pair: YES of the cheap leg, NO of the expensive one', () => {
    const edges = marketEdges(pairSnapshot(bought))
    expect(edges.get('A')).toEqual([
      {
        kind: 'cross_venue',
        edge: 4,
        direction: 'yes',
        executable: 5,
        confidence: 0.85,
        cost: 41,
        fair: 44,
      },
    ])
    expect(edges.get('B')).toMatchObject([
      { edge: -4, direction: 'no', executable: 5, cost: 53, fair: 56 },
    ])
  })

  it('of an inverted pair: YES of both questions', () => {
    const edges = marketEdges(pairSnapshot(bought, true))
    expect(edges.get('A')).toMatchObject([{ edge: 4, direction: 'yes', fair: 44 }])
    expect(edges.get('B')).toMatchObject([{ edge: 4, direction: 'yes', cost: 53, fair: 56 }])
  })

  it('split a gap by how much is traded, because the thinner price is wrong more often', () => {
    const pair = marketPair({ a: 'A', b: 'B', confidence: 0.85 })
    const found = { pair, edge: bought, executableGap: null, yieldPct: null, isTradable: true }
    const traded = (ticker: string, price: number, dollars: number) => {
      const market = priced(ticker, price)
      return { ...market, view: { ...market.view, volume24hUsd: dollars } }
    }
    const edges = marketEdges(
      contextSnapshotOf([traded('A', 40, 80), traded('B', 48, 0)], {
        pairs: [pair],
        crossVenue: new Map([[pair.id, found]]),
      }),
    )
    // Weights √81 and √1: (9 × 40 + 48) / 10.
    expect(edges.get('A')).toMatchObject([{ edge: 0.8, fair: 40.8 }])
    expect(edges.get('B')).toMatchObject([{ edge: -7.2, fair: 59.2 }])
  })

  it('are empty for a pair that may settle differently, or without books', () => {
    expect(marketEdges(pairSnapshot(bought, false, false)).size).toBe(0)
    expect(marketEdges(pairSnapshot(null)).size).toBe(0)
  })

  it('of an event: each outcome of its basket and both rungs of a ladder, best first', () => {
    const event: EventEdges = {
      venue: 'venue_a',
      eventId: 'E',
      eventTitle: null,
      baskets: [{ kind: 'overround', net: 2.5, size: 10 }],
      ladders: [
        { easier: 'A', harder: 'B', net: 4, size: 5, markViolation: 6, soft: false },
        { easier: 'B', harder: 'C', net: null, size: 0, markViolation: 3, soft: true },
      ],
    }
    const snapshot = contextSnapshotOf(
      [priced('A', 30), priced('B', 36), priced('C', 39), priced('X', 9, 'F')],
      {
        eventEdges: [event],
      },
    )
    const edges = marketEdges(snapshot)
    expect(edges.get('A')).toMatchObject([
      { kind: 'ladder', edge: 3, direction: 'yes', executable: 4, confidence: 0.9 },
      { kind: 'basket', edge: -1.4286, direction: 'no', executable: 2.5, confidence: 0.95 },
    ])
    expect(edges.get('B')?.map(({ kind, edge, executable }) => [kind, edge, executable])).toEqual([
      ['ladder', -3, 4],
      ['basket', -1.7143, 2.5],
      ['ladder', 1.5, null],
    ])
    expect(edges.get('C')).toMatchObject([
      { kind: 'basket' },
      { kind: 'ladder', edge: -1.5, executable: null, cost: null, fair: 62.5 },
    ])
    expect(edges.has('X')).toBe(false)
    expect(marketEdges(snapshot)).toBe(edges)
  })
})
