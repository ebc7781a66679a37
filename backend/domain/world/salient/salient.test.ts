import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../../testing/world-markets.ts'
import { HOUR, type Millis } from '../../units.ts'
import { salientId } from './salient-id.ts'
import {
  emissionAfter,
  noveltyOf,
  salienceOf,
  type SalientType,
  type ScoredCandidate,
} from './salient.ts'
import { selectSalient } from './selection.ts'

const after = (hours: number) => (NOON_ISH + hours * HOUR) as Millis

describe('salience', () => {
  it('C2: weighs the types of items', () => {
    const item = { x: 1.5, confidence: 0.5, weight: 0.25 } as const
    const score = (type: SalientType) => salienceOf({ ...item, type }, 1)
    const plain = score('divergence')
    expect(score('regime_shift') / plain).toBeCloseTo(1.3, 9)
    expect(score('consensus_break') / plain).toBeCloseTo(1, 9)
    expect(score('residual') / plain).toBeCloseTo(0.9, 9)
    expect(score('resolving_soon') / plain).toBeCloseTo(0.8, 9)
    expect(score('novel') / plain).toBeCloseTo(0.7, 9)
    expect(plain / salienceOf({ ...item, type: 'divergence', weight: 1 }, 1)).toBeCloseTo(0.25, 9)
    expect(plain / salienceOf({ ...item, type: 'divergence', confidence: 1 }, 1)).toBeCloseTo(
      0.5,
      9,
    )
    expect(salienceOf({ ...item, type: 'divergence' }, 0.5) / plain).toBeCloseTo(0.5, 9)
  })

  it('C2: a residual of x 1.644, three hours old, scores 0.4706', () => {
    const candidate = { type: 'residual', x: 1.644, confidence: 1, weight: 1 } as const
    const novelty = noveltyOf({ since: NOON_ISH }, after(3))
    expect(novelty).toBeCloseTo(0.8409, 4)
    expect(salienceOf(candidate, novelty)).toBeCloseTo(0.4706, 4)
  })

  it('halves in twelve hours and is at least a quarter', () => {
    expect(noveltyOf({ since: NOON_ISH }, after(0))).toBe(1)
    expect(noveltyOf({ since: NOON_ISH }, after(12))).toBe(0.5)
    expect(noveltyOf({ since: NOON_ISH }, after(100))).toBe(0.25)
  })

  it('is new again when it grew by a quarter or was absent for a day', () => {
    const first = emissionAfter(undefined, 2, NOON_ISH)
    expect(first).toEqual({ since: NOON_ISH, x: 2, lastAt: NOON_ISH })
    const grown = emissionAfter(first, 2.4, after(1))
    expect(grown).toEqual({ since: NOON_ISH, x: 2, lastAt: after(1) })
    expect(emissionAfter(grown, 2.5, after(2))).toMatchObject({ since: after(2), x: 2.5 })
    expect(emissionAfter(grown, 2, after(25)).since).toBe(NOON_ISH)
    expect(emissionAfter(grown, 2, after(25.1)).since).toBe(after(25.1))
  })

  it('rises with x and stays below the weight of its type', () => {
    const x = fc.double({ min: 1, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(x, x, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, confidence) => {
        const of = (strength: number) =>
          salienceOf({ type: 'divergence', x: strength, confidence, weight: 1 }, 1)
        expect(of(Math.max(a, b))).toBeGreaterThanOrEqual(of(Math.min(a, b)))
        expect(of(a)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('ids', () => {
  it('C4: divergence|KXA|KXB is s-0lb6y3', () => {
    expect(salientId('divergence', 'KXA', 'KXB')).toBe('s-0lb6y3')
  })

  it('have six letters or digits and belong to one subject', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (subject) => {
        expect(salientId('novel', subject)).toMatch(/^s-[a-z0-9]{6}$/)
        expect(salientId('novel', subject)).toBe(salientId('novel', subject))
      }),
    )
    expect(salientId('novel', 'KXA')).not.toBe(salientId('residual', 'KXA'))
  })
})

describe('selection', () => {
  const candidate = (
    ticker: string,
    score: number,
    theme: string,
    type: SalientType,
    event = ticker,
    question = ticker,
  ): ScoredCandidate =>
    ({
      id: salientId(type, ticker),
      type,
      body: {},
      label: ticker,
      x: 1,
      confidence: 1,
      weight: 1,
      legs: [worldMarket({ ticker, theme })],
      score,
      event,
      question,
    }) as unknown as ScoredCandidate
  const picked = (candidates: readonly ScoredCandidate[], limit = 10) =>
    selectSalient(candidates, limit).map(({ candidate: { label }, score }) => [label, score])

  it('C3: A .50, B .48 of its theme and type, D .40 of others: A, D, B at .2304', () => {
    const order = picked([
      candidate('B', 0.48, 'x', 'residual'),
      candidate('A', 0.5, 'x', 'residual'),
      candidate('D', 0.4, 'y', 'divergence'),
    ])
    expect(order).toEqual([
      ['A', 0.5],
      ['D', 0.4],
      ['B', expect.closeTo(0.2304, 6) as number],
    ])
  })

  it('drops further items on a market and lowers those of its event', () => {
    const items = [
      candidate('A', 0.5, 'x', 'residual', 'E'),
      candidate('A', 0.49, 'x', 'novel', 'E'),
      candidate('B', 0.5, 'y', 'novel', 'E'),
    ]
    expect(picked(items)).toEqual([
      ['A', 0.5],
      ['B', 0.1],
    ])
  })

  it('drops a second item of one type on one question and a third on one event', () => {
    const items = [
      candidate('A', 0.5, 'x', 'consensus_break', 'E', 'Q'),
      candidate('B', 0.49, 'x', 'consensus_break', 'E', 'Q'),
      candidate('C', 0.48, 'x', 'consensus_break', 'E'),
      candidate('D', 0.47, 'x', 'consensus_break', 'E'),
      candidate('F', 0.1, 'x', 'consensus_break', 'G', 'Q2'),
    ]
    expect(picked(items).map(([label]) => label)).toEqual(['A', 'F', 'C'])
  })

  it('breaks ties by type, then ticker', () => {
    const items = [
      candidate('C', 0.5, 'z', 'novel'),
      candidate('B', 0.5, 'y', 'residual'),
      candidate('A', 0.5, 'x', 'novel'),
    ]
    expect(picked(items, 1)).toEqual([['B', 0.5]])
    expect(
      picked(
        items.filter(({ type }) => type === 'novel'),
        1,
      ),
    ).toEqual([['A', 0.5]])
  })

  it('falls along the ranks and does not depend on the input order', () => {
    const item = fc.record({
      ticker: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
      score: fc.constantFrom(0.1, 0.2, 0.3, 0.4),
      theme: fc.constantFrom('x', 'y'),
      type: fc.constantFrom<SalientType>('residual', 'novel', 'resolving_soon'),
    })
    fc.assert(
      fc.property(fc.uniqueArray(item, { selector: (i) => i.ticker + i.type }), (items) => {
        const candidates = items.map((i) => candidate(i.ticker, i.score, i.theme, i.type))
        const order = picked(candidates)
        expect(picked(candidates.toReversed())).toEqual(order)
        for (const [i, [, score]] of order.entries()) {
          if (i > 0) expect(score).toBeLessThanOrEqual(Number(order[i - 1]?.[1]))
        }
        expect(new Set(order.map(([label]) => label)).size).toBe(order.length)
      }),
    )
  })
})
