import { expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { MarketId } from '../../history/market-key.ts'
import { feedStates, gapCounts } from './feed-states.ts'

const at = (hours: number) => (hours * 3_600_000) as Millis
const gap = (row: Partial<CoverageRow>): CoverageRow => ({
  venue: 'venue_a',
  market: null,
  feed: 'trades',
  state: 'gap',
  reason: null,
  from: at(1),
  to: at(2),
  knownAt: at(2),
  ...row,
})

it('counts gaps, unrepaired ones, and open ones', () => {
  const market = 7 as MarketId
  expect(gapCounts([])).toEqual({ found: 0, unrepaired: 0, open: 0 })
  expect(
    gapCounts([
      gap({}),
      gap({ from: at(3), to: null }),
      gap({ from: at(5), to: at(6), market }),
      gap({ from: at(7), to: at(9) }),
      gap({ state: 'repaired', knownAt: at(4) }),
      // Of another market, and of a part alone.
      gap({ state: 'repaired', from: at(5), to: at(6), market: 8 }),
      gap({ state: 'repaired', from: at(7), to: at(8) }),
    ]),
  ).toEqual({ found: 4, unrepaired: 3, open: 1 })
})

it('returns every feed, with unknown values as null', () => {
  const lags = [
    { venue: 'venue_a', feed: 'quotes', rows: 9, medianMs: 40 as Millis, p95Ms: 90 as Millis },
  ] as const
  const states = feedStates({
    gaps: [gap({ to: null })],
    lags,
    health: (venue) =>
      venue === 'venue_b'
        ? null
        : {
            mode: 'stream',
            requests: 12,
            failures: 2,
            skipped: { 'no price': 3, 'no ticker': 1 },
          },
  })
  expect(states.map(({ venue, feed }) => `${venue} ${feed}`)).toEqual([
    'venue_a trades',
    'venue_a quotes',
    'venue_b trades',
    'venue_b quotes',
  ])
  expect(states[0]).toMatchObject({ lag: null, gaps: { found: 1, unrepaired: 1, open: 1 } })
  expect(states[1]).toMatchObject({
    mode: 'stream',
    lag: { medianMs: 40, p95Ms: 90, rows: 9 },
    requests: 12,
    failures: 2,
    refusedRows: 4,
  })
  expect(states[3]).toMatchObject({ mode: null, requests: null, failures: null, refusedRows: null })
})
