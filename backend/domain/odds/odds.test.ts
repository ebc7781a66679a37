import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { edgeMagnitude, moverMagnitude, selectHighlights } from '../changes/highlights.ts'
import type { HighlightCandidate } from '../changes/highlights.ts'
import { binaryOdds, exclusiveEventSum, isInBand, leaderOf, questionsOf } from './odds.ts'
import type { OddsMember } from './odds.ts'
import type { Cents } from '../units.ts'

const member = (
  mark: number | null,
  volume: number | null,
  changes: Partial<OddsMember> = {},
): OddsMember => ({
  ticker: `T${mark}`,
  mark: mark as Cents | null,
  markBefore: null,
  volume24hUsd: volume,
  liquidity: 'high',
  ...changes,
})

describe('odds', () => {
  it('F2: 62 with 5,000 dollars and 58 with 1,250 are 60.67', () => {
    const { price, volume24hUsd, delta24h } = binaryOdds([member(62, 5_000), member(58, 1_250)])
    expect([price, volume24hUsd, delta24h]).toEqual([60.67, 6_250, null])
  })

  it('compares the same basket a day apart, with today’s weights', () => {
    const before = { markBefore: 50 as Cents }
    expect(binaryOdds([member(62, 99, before), member(58, 99)]).delta24h).toBe(12)
    expect(binaryOdds([member(62, 99, before), member(58, 99, before)]).delta24h).toBe(10)
  })

  it('is null without marks and stays between the marks', () => {
    expect(binaryOdds([])).toEqual({ price: null, delta24h: null, volume24hUsd: null })
    expect(binaryOdds([member(null, null)])).toEqual({
      price: null,
      delta24h: null,
      volume24hUsd: null,
    })
    const markets = fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.nat()), { minLength: 1 })
    fc.assert(
      fc.property(markets, (list) => {
        const { price } = binaryOdds(list.map(([mark, volume]) => member(mark, volume)))
        const marks = list.map(([mark]) => mark)
        expect(price!).toBeGreaterThanOrEqual(Math.min(...marks) - 0.01)
        expect(price!).toBeLessThanOrEqual(Math.max(...marks) + 0.01)
      }),
    )
  })

  it('names the leader and never averages', () => {
    const outcomes = [
      member(30, 1),
      { ...member(45, 1), ticker: 'B' },
      { ...member(45, 1), ticker: 'A' },
    ]
    expect(leaderOf(outcomes)?.ticker).toBe('A')
    expect(leaderOf([member(null, 1)])).toBeNull()
  })

  it('does not decide a field whose unpriced outcomes could lead', () => {
    const fieldOf = (...marks: (number | null)[]) => exclusiveEventSum(marks as (Cents | null)[])
    expect(fieldOf(60, 38)).toEqual({ isDecided: true, note: null })
    expect(fieldOf(30, 20, null)).toEqual({
      isDecided: false,
      note: '1 of 3 outcomes have no price, 50¢ are left for them',
    })
    expect(fieldOf(50, null)).toMatchObject({ isDecided: true })
    expect(fieldOf(49.9, null)).toMatchObject({ isDecided: false })
    expect(fieldOf(70, 45, null)).toEqual({
      isDecided: true,
      note: '1 of 3 outcomes have no price',
    })
    expect(fieldOf(70, 41)).toEqual({ isDecided: true, note: 'outcome prices sum to 111¢' })
    expect(fieldOf(70, 40)).toMatchObject({ note: null })
    expect(fieldOf(50, 39.9)).toMatchObject({ note: 'outcome prices sum to 89.9¢' })
  })

  it('assigns bands', () => {
    expect(isInBand({ price: 20 as Cents, delta24h: null }, 'mid')).toBe(true)
    expect(isInBand({ price: 80.01 as Cents, delta24h: null }, 'mid')).toBe(false)
    expect(isInBand({ price: null, delta24h: -5 }, 'moving')).toBe(true)
    expect(isInBand({ price: null, delta24h: null }, 'moving')).toBe(false)
  })

  it('joins a question across venues by confident pairs, through inversions', () => {
    const pairs = [
      { a: 'A1', b: 'b1', confidence: 0.75, inverted: true },
      { a: 'A2', b: 'b1', confidence: 0.9, inverted: true },
      { a: 'A3', b: 'b2', confidence: 0.74, inverted: false },
    ]
    expect(questionsOf(['b2', 'b1', 'A3', 'A2', 'A1'], pairs)).toEqual([
      {
        members: [
          { ticker: 'A1', inverted: false },
          { ticker: 'A2', inverted: false },
          { ticker: 'b1', inverted: true },
        ],
      },
      { members: [{ ticker: 'A3', inverted: false }] },
      { members: [{ ticker: 'b2', inverted: false }] },
    ])
  })
})

describe('highlights', () => {
  const entry = (
    kind: HighlightCandidate['kind'],
    ticker: string,
    score: number,
    event = ticker,
  ): HighlightCandidate => ({ kind, ticker, event, score })

  it('F4: of two movers of one event the larger stays', () => {
    const selected = selectHighlights([
      entry('mover', 'A', 0.3, 'E'),
      entry('mover', 'B', 0.4, 'E'),
    ])
    expect(selected.map(({ ticker }) => ticker)).toEqual(['B'])
  })

  it('takes three of each list by score, ties by list, then ticker', () => {
    const movers = [1, 2, 3, 4].map((n) => entry('mover', `M${n}`, n / 10))
    const selected = selectHighlights([...movers, entry('new', 'N', 0.3), entry('edge', 'E', 0.3)])
    expect(selected.map(({ ticker }) => ticker)).toEqual(['M4', 'M3', 'E', 'N', 'M2'])
    expect(selectHighlights([])).toEqual([])
  })

  it('scales movers by ten cents and edges by five', () => {
    expect(moverMagnitude(-12)).toBe(1.2)
    expect(edgeMagnitude(1.94)).toBe(0.388)
  })
})
