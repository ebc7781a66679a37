import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { COVERAGE_STATES, resolveCoverage } from './coverage.ts'
import type { CoverageRow, CoverageState, CoverageWindow } from './coverage.ts'

const statement = (
  state: CoverageState,
  from: number,
  to: number | null,
  knownAt: number,
  rest: Partial<CoverageRow> = {},
): CoverageRow => ({
  venue: 'venue_a',
  market: null,
  feed: 'trades',
  state,
  from: from as Millis,
  to: to as Millis | null,
  knownAt: knownAt as Millis,
  reason: null,
  ...rest,
})
const window = (from: number, to: number, asOf: number): CoverageWindow => ({
  from: from as Millis,
  to: to as Millis,
  asOf: asOf as Millis,
})
/** `live 0-10, gap 10-20` */
const summaryOf = (rows: readonly CoverageRow[], within: CoverageWindow): string =>
  resolveCoverage(rows, within)
    .map(({ state, from, to }) => `${state} ${from}-${to}`)
    .join(', ')

const live = statement('live', 0, null, 0)
const open = statement('gap', 30, null, 31)
const closed = statement('gap', 30, 40, 40)
const repaired = statement('repaired', 30, 40, 45)

describe('coverage', () => {
  it.each([
    ['nothing without statements', [], window(0, 100, 100), ''],
    ['an open statement up to asOf', [live], window(0, 100, 60), 'live 0-60'],
    ['no more than was asked for', [live], window(10, 20, 60), 'live 10-20'],
    ['no statement before it is known', [live, open], window(0, 50, 30), 'live 0-30'],
    ['an open gap', [live, open], window(0, 50, 35), 'live 0-30, gap 30-35'],
    [
      'a gap that ended, by a later statement of the same stretch',
      [live, open, closed],
      window(0, 50, 60),
      'live 0-30, gap 30-40, live 40-50',
    ],
    [
      'the open gap to those who ask before its end was known',
      [live, open, closed],
      window(0, 50, 39),
      'live 0-30, gap 30-39',
    ],
    [
      'a repair',
      [live, open, closed, repaired],
      window(0, 50, 60),
      'live 0-30, repaired 30-40, live 40-50',
    ],
    [
      'a repair of a part',
      [live, open, closed, statement('repaired', 32, 36, 45)],
      window(0, 50, 60),
      'live 0-30, gap 30-32, repaired 32-36, gap 36-40, live 40-50',
    ],
    [
      'a gap known after a repair',
      [closed, repaired, statement('gap', 35, 38, 50)],
      window(0, 50, 60),
      'repaired 30-35, gap 35-38, repaired 38-40',
    ],
    [
      'a gap over a state known later',
      [closed, statement('imported', 0, 50, 55)],
      window(0, 50, 60),
      'imported 0-30, gap 30-40, imported 40-50',
    ],
    [
      'of two other states the one known last',
      [statement('polled', 0, 20, 50), statement('live', 10, 30, 40)],
      window(0, 50, 60),
      'polled 0-20, live 20-30',
    ],
    [
      'of two known at one instant the one stated last',
      [statement('gap', 0, 20, 50), statement('repaired', 0, 20, 50)],
      window(0, 50, 60),
      'repaired 0-20',
    ],
    [
      'gaps of the venue in a market and the other way round',
      [statement('gap', 0, 20, 50), statement('repaired', 0, 20, 51, { market: 7 })],
      window(0, 50, 60),
      'repaired 0-20',
    ],
    [
      'neighbours of one state as one',
      [closed, statement('gap', 40, 50, 50)],
      window(0, 60, 60),
      'gap 30-50',
    ],
    ['nothing for an empty window', [live], window(20, 20, 60), ''],
    ['nothing for an open statement from asOf on', [open], window(0, 50, 30), ''],
  ])('states %s', (_, rows, within, expected) => {
    expect(summaryOf(rows, within)).toBe(expected)
  })

  it('does not merge different reasons', () => {
    const rows = [
      statement('gap', 0, 10, 50, { reason: 'socket closed' }),
      statement('gap', 10, 20, 50, { reason: 'sequence' }),
    ]
    expect(resolveCoverage(rows, window(0, 50, 60)).map(({ reason }) => reason)).toEqual([
      'socket closed',
      'sequence',
    ])
  })

  it('agrees with a lookup for each millisecond', () => {
    const instant = fc.integer({ min: 0, max: 24 })
    const row = fc
      .record({
        state: fc.constantFrom(...COVERAGE_STATES),
        from: instant,
        length: fc.option(fc.integer({ min: 0, max: 12 })),
        knownAt: instant,
        market: fc.constantFrom(null, 7),
        reason: fc.constantFrom(null, 'x'),
      })
      .map(({ state, from, length, knownAt, ...rest }) =>
        statement(state, from, length === null ? null : from + length, knownAt, rest),
      )
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 12 }),
        ...([instant, instant, instant] as const),
        (rows, from, to, asOf) => {
          const spans = resolveCoverage(rows, window(from, to, asOf))
          const instants = Array.from({ length: 41 }, (_, ms) => ms)
          const answered = instants.map((ms) =>
            spans.filter((one) => one.from <= ms && ms < one.to).map(({ state }) => state),
          )
          const requested = instants.map((ms) =>
            ms >= from && ms < to ? stateAt(rows, ms, asOf) : null,
          )
          expect(answered).toEqual(requested.map((state) => (state === null ? [] : [state])))
          for (const [index, span] of spans.entries()) {
            const next = spans[index + 1]
            expect(span.from).toBeLessThan(span.to)
            if (next === undefined) continue
            expect(span.to).toBeLessThanOrEqual(next.from)
            const same = next.state === span.state && next.reason === span.reason
            expect(same && span.to === next.from).toBe(false)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

/** The rule of `CoverageRow`, implemented independently for one instant. */
function stateAt(rows: readonly CoverageRow[], ms: number, asOf: number): CoverageState | null {
  const visible = rows.map((row, index) => ({ ...row, index })).filter((row) => row.knownAt <= asOf)
  type Known = (typeof visible)[number]
  const isLater = (a: Known, b: Known) =>
    a.knownAt > b.knownAt || (a.knownAt === b.knownAt && a.index > b.index)
  const covering = visible.filter((row) => {
    const isReplaced =
      row.to === null &&
      visible.some(
        (other) =>
          isLater(other, row) &&
          other.market === row.market &&
          other.state === row.state &&
          other.from === row.from,
      )
    return !isReplaced && row.from <= ms && ms < (row.to ?? asOf)
  })
  const gaps = covering.filter((row) => row.state === 'gap')
  const isRepaired = (gap: Known) =>
    covering.some((row) => row.state === 'repaired' && isLater(row, gap))
  if (gaps.length > 0) return gaps.every(isRepaired) ? 'repaired' : 'gap'
  return (
    covering.find((row) => covering.every((other) => other === row || isLater(row, other)))
      ?.state ?? null
  )
}
