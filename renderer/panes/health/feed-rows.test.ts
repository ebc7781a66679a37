import { expect, it } from 'vitest'
import type { Feed } from '../../../backend/contract/operations.ts'
import { feedRows } from './feed-rows.ts'

const FEED: Feed = {
  venue: 'venue_a',
  feed: 'trades',
  mode: 'stream',
  lag: { medianMs: 41, p95Ms: 2_400, rows: 900 },
  gaps: { found: 3, unrepaired: 1, open: 0 },
  requests: 1_200,
  failures: 4,
  refusedRows: 0,
}
const cellsOf = (feed: Partial<Feed>) => feedRows([{ ...FEED, ...feed }])[0]?.cells

it('shows lag, gaps, errors and refused rows of a feed [terminal.health.feeds]', () => {
  expect(cellsOf({})).toEqual(['Kalshi, trades', 'streaming', '41 ms', '2s', '3', '1', '4', '0'])
})

it('shows unknown values as unknown, and marks open gaps', () => {
  expect(cellsOf({ lag: null, requests: null, failures: null, refusedRows: null })).toEqual([
    'Kalshi, trades',
    'streaming',
    '–',
    '–',
    '3',
    '1',
    '–',
    '–',
  ])
  const [open] = feedRows([{ ...FEED, gaps: { found: 3, unrepaired: 2, open: 1 } }])
  expect([open?.cells[5], open?.isWarning]).toEqual(['2, 1 open', true])
  expect(feedRows([{ ...FEED, mode: 'down' }])[0]?.isWarning).toBe(true)
})

it('leaves out feeds of a venue that never delivered', () => {
  const gaps = { found: 0, unrepaired: 0, open: 0 }
  expect(feedRows([{ ...FEED, mode: null, lag: null, gaps }])).toEqual([])
})

it.each([
  [{ mode: null, lag: null, gaps: { found: 1, unrepaired: 0, open: 0 } }, 'off', '–'],
  [{ mode: null }, 'off', '41 ms'],
  [{ mode: 'polling', lag: null }, 'polling', '–'],
  [{ lag: { medianMs: 999, p95Ms: 1, rows: 1 } }, 'streaming', '999 ms'],
  [{ lag: { medianMs: 1_000, p95Ms: 1, rows: 1 } }, 'streaming', '1s'],
] as const)('a feed %j is %s with a lag of %s', (change, mode, lag) => {
  expect(cellsOf(change)?.slice(1, 3)).toEqual([mode, lag])
})

it('a feed without faults is not marked', () => {
  expect(feedRows([FEED])[0]?.isWarning).toBe(false)
})
