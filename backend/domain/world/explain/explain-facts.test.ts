import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../units.ts'
import { causeOf, type ExplainFact, type Move } from './explain-facts.ts'

const START = Date.parse('2026-11-20T10:00:00Z') as Millis
const move: Move = { startedAt: START, cents: 10, entityWords: ['fed', 'powell', 'rates'] }
type FactOf<Fact> = Fact extends unknown ? Omit<Fact, 'evidence' | 'knownAt'> : never

/** Kind, prior and strength of a fact whose evidence is so far from the start of the move. */
function judged(fact: FactOf<ExplainFact>, offset = 0, of: Partial<Move> = {}) {
  const at = (START + offset) as Millis
  const evidence = { source: 's', title: 't', url: null, at }
  const found = causeOf({ ...fact, evidence, knownAt: at }, { ...move, ...of })
  return found === null ? null : [found.kind, found.prior, Number(found.strength.toFixed(4))]
}
const before = (span: number) => (START - span) as Millis

describe('what may explain a move (methodology C8)', () => {
  it.each<[FactOf<ExplainFact>, number, unknown]>([
    [{ kind: 'catalyst' }, 0, ['catalyst', 0.35, 1]],
    [{ kind: 'econ_release' }, -6 * HOUR, ['econ_release', 0.35, 0.75]],
    [{ kind: 'legislation' }, -24 * HOUR, null],
    // The start of a move is known to five minutes; causes are not later.
    [{ kind: 'catalyst' }, 5 * MINUTE, ['catalyst', 0.35, 0.9965]],
    [{ kind: 'catalyst' }, 5 * MINUTE + 1, null],
    [{ kind: 'facts_change' }, -12 * HOUR, ['catalyst', 0.4, 0.5]],
    [{ kind: 'stated_date', due: before(-6 * HOUR), within: 24 }, HOUR, ['catalyst', 0.35, 0.75]],
    [{ kind: 'stated_date', due: before(24 * HOUR), within: 24 }, 0, null],
  ])('%j at %i ms is %j', (fact, offset, expected) => {
    expect(judged(fact, offset)).toEqual(expected)
  })

  it.each([
    ['Powell says the Fed waits', -6 * HOUR, ['news', 0.25, 0.6667]],
    ['Powell says the Fed waits', -6 * HOUR - 1, null],
    ['Fed, Powell: rates', 0, ['news', 0.25, 1]],
    ['the Fed waits', 0, null],
  ])('news “%s” at %i ms is %j', (text, offset, expected) => {
    expect(judged({ kind: 'news', text }, offset)).toEqual(expected)
    const social = expected === null ? null : ['social', ...expected.slice(1)]
    expect(judged({ kind: 'social', text }, offset)).toEqual(social)
  })

  it.each([
    [10 * MINUTE, 6, ['contagion', 0.25, 0.6]],
    [10 * MINUTE - 1, 6, null],
    [10 * MINUTE, 5, ['contagion', 0.25, 0.5]],
    [10 * MINUTE, 4.9, null],
    [10 * MINUTE, 25, ['contagion', 0.25, 1]],
    [10 * MINUTE, -6, null],
    [10 * MINUTE, 0, null],
  ])('a linked market that moved %i ms earlier and implies %f is %j', (lead, expects, expected) => {
    expect(judged({ kind: 'contagion', movedAt: before(lead), expected: expects })).toEqual(
      expected,
    )
  })

  it('a fall is explained by a fall', () => {
    const linked = { kind: 'contagion', movedAt: before(HOUR), expected: -6 } as const
    expect(judged(linked, 0, { cents: -10 })).toEqual(['contagion', 0.25, 0.6])
    const lead = { kind: 'cross_venue_lead', movedAt: before(1), cents: -4 } as const
    expect(judged(lead, 0, { cents: -10 })).toEqual(['cross_venue_lead', 0.2, 0.4])
    expect(judged(lead)).toBeNull()
    expect(judged({ ...lead, cents: 4, movedAt: START })).toBeNull()
    expect(judged({ ...lead, cents: 0 })).toBeNull()
  })

  it.each([
    [2, 0, ['contagion', 0.25, 0.25]],
    [-4, 0, ['contagion', 0.25, 0.5]],
    [1.9, 0, null],
    [12, HOUR, ['contagion', 0.25, 1]],
    [12, HOUR + 1, null],
  ])('attention by a linked move of %f at %i ms is %j', (expects, offset, expected) => {
    expect(judged({ kind: 'attention', expected: expects }, offset)).toEqual(expected)
  })

  it.each([
    ['cross_venue_lead', 5, ['cross_venue_lead', 0.2, 0.5]],
    ['contagion', -7, ['contagion', 0.25, 0.7]],
    ['contagion', 4.9, null],
  ] as const)('a peer that opened a gap, %s by %f, is %j', (as, cents, expected) => {
    expect(judged({ kind: 'peer_move', as, cents }, HOUR)).toEqual(expected)
    // Without a move nothing is a share of it.
    expect(judged({ kind: 'peer_move', as, cents }, 0, { cents: 0 })).toBeNull()
  })

  it.each([
    [0.4, ['flow', 0.15, 1]],
    [0.39, null],
  ])('a share of %f of the volume is %j', (share, expected) => {
    expect(judged({ kind: 'block_trade', share })).toEqual(expected)
    expect(judged({ kind: 'busy_hour', share })).toEqual(expected)
  })

  it.each([
    [2, null, true, ['flow', 0.15, 1]],
    [1.9, 0.51, true, null],
    [null, 0.5, true, ['flow', 0.15, 1]],
    [null, null, true, null],
    [2, 0.5, false, null],
  ])(
    'a book with %j of the spread and %j of the depth, volume below its median %j, is %j',
    (spreadRatio, depthRatio, volumeBelowMedian, expected) => {
      const fact = { kind: 'thin_book', spreadRatio, depthRatio, volumeBelowMedian } as const
      expect(judged(fact)).toEqual(expected)
    },
  )
})
