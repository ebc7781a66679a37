import { describe, expect, it } from 'vitest'
import { fingerprintOf } from '../../../domain/pairing/fingerprint.ts'
import type { Cents } from '../../../domain/units.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import { Fingerprints, laddersOf, structureOf } from './structure.ts'

/** Ladders of one event whose markets have these titles; tickers are their indices: `0`, `1`, … */
const laddersIn = (...titles: string[]) =>
  laddersOf(
    titles.map((title, i) =>
      fingerprintOf({ ...marketFacts({ ticker: `${i}`, title, eventId: 'E' }), mark: null }),
    ),
  )
const price = (comparison: string, day = 'December 31, 2026') =>
  `Will Bitcoin close ${comparison} on ${day}?`

describe('the ladders of markets', () => {
  it('sort their strikes, a lower one being harder for a price below', () => {
    expect(laddersIn(price('above $80,000'), price('above $70,000'))).toEqual([
      {
        venue: 'venue_a',
        eventId: 'E',
        kind: 'above',
        rungs: [
          { ticker: '1', at: 70_000 },
          { ticker: '0', at: 80_000 },
        ],
      },
    ])
    const [below] = laddersIn(price('below $80,000'), price('below $70,000'))
    expect(below?.kind).toBe('by')
  })
  it('sort the deadlines of an event', () => {
    const reopens = (day: string) => `Will the strait reopen by ${day}, 2027?`
    const [ladder] = laddersIn(reopens('March 31'), reopens('January 31'))
    expect(ladder?.kind).toBe('by')
    expect(ladder?.rungs.map(({ at }) => at)).toEqual([
      Date.UTC(2027, 0, 31),
      Date.UTC(2027, 2, 31),
    ])
  })
  it('leave out ranges and markets without strike or day', () => {
    const range = (from: number) =>
      `Will Bitcoin be between $${from},000 and $${from + 10},000 on December 31, 2026?`
    expect(laddersIn(range(60), range(70))).toEqual([])
    expect(laddersIn('Will the ceasefire hold?', 'Will the talks fail?')).toEqual([])
  })
  it('separate days and directions, and need two rungs', () => {
    expect(laddersIn(price('above $70,000'), price('below $80,000'))).toEqual([])
    expect(laddersIn(price('above $70,000'), price('above $70,000'))).toEqual([])
    const days = ['November 30, 2026', 'December 31, 2026']
    const requested = days.flatMap((day) => [
      price('above $70,000', day),
      price('above $80,000', day),
    ])
    expect(laddersIn(...requested).map(({ rungs }) => rungs.map(({ ticker }) => ticker))).toEqual([
      ['0', '1'],
      ['2', '3'],
    ])
  })
})

describe('the fingerprint cache', () => {
  const market = (title: string, mark: number) => ({
    facts: marketFacts({ title }),
    theme: 'crypto',
    mark: mark as Cents,
    liquidity: 'low' as const,
  })
  it('parses an unchanged text once, and always updates prices', () => {
    const fingerprints = new Fingerprints()
    const first = fingerprints.fingerprint(market(price('above $70,000'), 40))
    const again = fingerprints.fingerprint(market(price('above $70,000'), 41))
    expect(again.strikes).toBe(first.strikes)
    expect(again.mark).toBe(41)
    expect(fingerprints.fingerprint(market(price('above $80,000'), 40)).strikes).toEqual([80_000])
  })
  it('drops markets that are no longer live', () => {
    const fingerprints = new Fingerprints()
    const kept = fingerprints.fingerprint(market(price('above $70,000'), 40))
    structureOf({ markets: [], hourly: null, leadLags: [], pairsOnly: false }, fingerprints)
    expect(fingerprints.fingerprint(market(price('above $70,000'), 40)).strikes).not.toBe(
      kept.strikes,
    )
  })
})
