import { describe, expect, it } from 'vitest'
import { QUARTER_HOUR } from '../changes/change-rows.ts'
import { hashText } from '../hash.ts'
import { changeId, factsChanges, priceMoves } from './price-moves.ts'
import type { FactsVersion } from './price-moves.ts'
import { DAY, HOUR } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

const start = Date.UTC(2026, 10, 20) as Millis
const grid = (steps: number): Millis => (start + steps * QUARTER_HOUR) as Millis

function movesOf(prices: readonly (number | null)[], dayAgo: number | null = null) {
  const instants = prices.map((_, step) => grid(step))
  const priceAt = (at: Millis) => {
    const step = (at - start) / QUARTER_HOUR
    return (step < 0 ? dayAgo : (prices[step] ?? null)) as Cents | null
  }
  return priceMoves('KXA', instants, priceAt).map(({ at, before, after, delta }) => [
    (at - start) / QUARTER_HOUR,
    before,
    after,
    delta,
  ])
}

describe('price moves', () => {
  it('have the worked example', () => {
    expect(movesOf([40, 44, 46, 47], 40)).toEqual([
      [1, 40, 44, 4],
      [3, 44, 47, 3],
    ])
  })
  it('start at three cents, either way', () => {
    expect(movesOf([42.99, 43], 40)).toEqual([[1, 40, 43, 3]])
    expect(movesOf([37], 40)).toEqual([[0, 40, 37, -3]])
  })
  it('are null when a price is unknown', () => {
    expect(movesOf([null, 50], null)).toEqual([])
    expect(movesOf([null], 40)).toEqual([])
  })
  it('forget the last move after a day and measure from the day before', () => {
    const day = DAY / QUARTER_HOUR
    const prices = [44, ...Array.from({ length: day }, () => 46), 46]
    expect(movesOf(prices, 40)).toEqual([[0, 40, 44, 4]])
    const risen = [44, ...Array.from({ length: day - 1 }, () => 46), 48]
    expect(movesOf(risen, 40)).toEqual([
      [0, 40, 44, 4],
      [day, 44, 48, 4],
    ])
  })
})

describe('changes of facts', () => {
  const at = grid(1)
  const facts = (change: Partial<FactsVersion> = {}): FactsVersion => ({
    ticker: 'KXA',
    status: 'active',
    result: null,
    closeTime: start,
    ...change,
  })
  const types = (before: FactsVersion | null, after: FactsVersion) =>
    factsChanges(before, after, at).map(({ type, before: from, after: to }) => [type, from, to])

  it('report a new market once and unchanged facts never', () => {
    expect(types(null, facts())).toEqual([['new_market', null, 'active']])
    expect(types(facts(), facts())).toEqual([])
  })
  it('report a new status, and a result at settlement', () => {
    expect(types(facts(), facts({ status: 'paused' }))).toEqual([
      ['status_change', 'active', 'paused'],
    ])
    expect(types(facts(), facts({ status: 'settled', result: 'yes' }))).toEqual([
      ['status_change', 'active', 'settled'],
      ['resolved', 'active', 'yes'],
    ])
    expect(types(facts(), facts({ status: 'settled', result: 'void' })).at(-1)).toEqual([
      'resolved',
      'active',
      null,
    ])
  })
  it('report a close time change from an hour on', () => {
    expect(types(facts(), facts({ closeTime: (start + HOUR - 1) as Millis }))).toEqual([])
    expect(types(facts(), facts({ closeTime: (start - HOUR) as Millis }))).toEqual([
      ['close_time_change', '2026-11-20T00:00:00.000Z', '2026-11-19T23:00:00.000Z'],
    ])
    expect(types(facts(), facts({ closeTime: null }))).toEqual([
      ['close_time_change', '2026-11-20T00:00:00.000Z', null],
    ])
  })
})

describe('ids', () => {
  it('repeat within a quarter hour and differ by type, ticker and time', () => {
    const id = changeId('price_move', 'KXA', grid(1))
    expect(changeId('price_move', 'KXA', (grid(1) + QUARTER_HOUR - 1) as Millis)).toBe(id)
    const others = [
      changeId('price_move', 'KXA', grid(2)),
      changeId('price_move', 'KXB', grid(1)),
      changeId('resolved', 'KXA', grid(1)),
    ]
    expect(new Set([id, ...others]).size).toBe(4)
    expect(id).toMatch(/^[0-9a-f]{26}$/)
  })
  it('are distinct for many texts', () => {
    const ids = new Set(Array.from({ length: 20_000 }, (_, index) => hashText(`t|${index}`)))
    expect(ids.size).toBe(20_000)
  })
})
