import { expect, it } from 'vitest'
import type { FeedGap, PriceChange } from '../../../backend/contract/market-history.ts'
import { historyRows, unrepairedGaps } from './history-rows.ts'

const iso = (minute: number) => new Date(minute * 60_000).toISOString()
const change = (minute: number): PriceChange => ({
  at: iso(minute),
  price: 50,
  delta: 1,
  iy: null,
  cri: null,
})
const gap = (from: number, to: number, more: Partial<FeedGap> = {}): FeedGap => ({
  feed: 'trades',
  state: 'gap',
  from: iso(from),
  to: iso(to),
  reason: null,
  ...more,
})

it('marks the first change after a gap only [terminal.live.gaps]', () => {
  const rows = historyRows([change(1), change(5), change(9)], [gap(2, 4)])
  expect(rows.map(({ gapBefore }) => gapBefore)).toEqual([null, 'gap', null])
})

it('distinguishes a repaired gap, unless another one is open', () => {
  const repaired = gap(2, 4, { state: 'repaired' })
  expect(historyRows([change(1), change(5)], [repaired])[1]?.gapBefore).toBe('repaired')
  expect(historyRows([change(1), change(5)], [repaired, gap(3, 4)])[1]?.gapBefore).toBe('gap')
})

it('lists unrepaired gaps, oldest first', () => {
  const gaps = [gap(8, 9), gap(2, 4), gap(5, 6, { state: 'repaired' })]
  expect(unrepairedGaps(gaps).map(({ from }) => from)).toEqual([iso(2), iso(8)])
})
