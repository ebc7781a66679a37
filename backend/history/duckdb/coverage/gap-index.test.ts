import fc from '../../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import type { Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import { COVERAGE_STATES, resolveCoverage } from '../../coverage.ts'
import type { CoverageRow } from '../../coverage.ts'
import { GapIndex } from './gap-index.ts'

it('finds the same gaps as resolving all statements', () => {
  const instant = fc.integer({ min: 0, max: 60 })
  const statement = fc
    .record({
      venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
      market: fc.constantFrom(null, null, 1, 2),
      feed: fc.constantFrom(...COVERAGE_FEEDS),
      state: fc.constantFrom(...COVERAGE_STATES),
      from: instant,
      length: fc.option(fc.integer({ min: 0, max: 9 })),
      knownAt: instant,
    })
    .map(({ length, ...row }): CoverageRow => ({
      ...row,
      from: row.from as Millis,
      knownAt: row.knownAt as Millis,
      to: length === null ? null : ((row.from + length) as Millis),
      reason: null,
    }))
    // The two markets are of different venues.
    .map((row) => (row.market === null ? row : { ...row, venue: venueOf(row.market) }))
  fc.assert(
    fc.property(
      fc.array(statement, { maxLength: 40 }),
      ...([instant, instant, instant] as const),
      (rows, from, length, asOf) => {
        const window = {
          from: from as Millis,
          to: (from + (length % 20)) as Millis,
          asOf: asOf as Millis,
        }
        const index = new GapIndex()
        for (let at = 0; at < rows.length; at += 3) index.add(rows.slice(at, at + 3))
        for (const market of [1, 2]) {
          const venue = venueOf(market)
          for (const feed of COVERAGE_FEEDS) {
            const own = rows.filter(
              (row) =>
                row.feed === feed &&
                row.venue === venue &&
                (row.market === null || row.market === market),
            )
            const gaps = resolveCoverage(own, window).filter(({ state }) => state === 'gap')
            expect(index.gapsOf({ market, venue }, feed, window)).toEqual(gaps)
          }
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

const venueOf = (market: number): Venue => (market === 1 ? 'venue_a' : 'venue_b')
