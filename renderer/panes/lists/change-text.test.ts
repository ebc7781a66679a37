import { expect, it } from 'vitest'
import type { MarketChange } from '../../../backend/contract/market-history.ts'
import { changeText, changeTime } from './change-text.ts'

it.each([
  ['price_move', 41, 44, '41.0¢ → 44.0¢'],
  ['spread_change', 2, null, 'spread 2.0¢ → –'],
  ['new_market', null, null, 'new market'],
  ['resolved', null, 'yes', 'settled: yes'],
  ['status_change', 'active', 'closed', 'closed'],
  ['regime_change', 'maker', 'taker', 'maker → taker'],
])('describes %s in a few words', (type, before, after, text) => {
  expect(changeText({ type, before, after } as MarketChange)).toBe(text)
})

it('shows the clock for today and the date before', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const style = { timeZone: 'UTC' }
  expect(changeTime('2026-11-20T09:05:00Z', now, style)).toBe('09:05')
  expect(changeTime('2026-11-18T09:05:00Z', now, style)).toBe('18 Nov')
})

const change = (type: string, before: unknown, after: unknown) =>
  changeText({ type, before, after } as never)
it.each([
  ['price_move', 41, 44, '41.0¢ → 44.0¢'],
  ['price_move', null, 44, '– → 44.0¢'],
  ['spread_change', 2, 3, 'spread 2.0¢ → 3.0¢'],
  ['new_market', null, null, 'new market'],
  ['resolved', null, 'yes', 'settled: yes'],
  ['status_change', 'active', 'closed_early', 'closed early'],
  ['volume_spike', 1, 2, 'volume spike'],
  ['close_time_change', 'a', 'b', 'new close'],
  ['other', 1, null, '1 → –'],
])('%s from %s to %s: %s', (type, before, after, text) => {
  expect(change(type, before, after)).toBe(text)
})

it('a change within twenty hours has its time, an earlier one its day', () => {
  const now = Date.parse('2026-11-20T22:00:00.000Z')
  const text = (iso: string) => changeTime(iso, now, { timeZone: 'UTC' })
  expect(text('2026-11-20T02:00:01.000Z')).toBe('02:00')
  expect(text('2026-11-20T02:00:00.000Z')).toBe('20 Nov')
})
