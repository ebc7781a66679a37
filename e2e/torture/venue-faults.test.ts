import { describe, expect, it } from 'vitest'
import { playCases } from './venue-faults.ts'
import { FAULT_CASES } from './venue-faults/fault-cases.ts'

/** One fault of each kind; `npm run torture -- venue-faults` runs all of them. */
const SHORT = ['venue_a cut bodies', 'venue_a lost trades', 'venue_b malformed JSON']

describe('a misbehaving venue', () => {
  it('loses no trade, duplicates none, and every gap is marked and repaired', async () => {
    const cases = SHORT.flatMap((short) => FAULT_CASES.filter(({ name }) => name === short))
    expect(cases).toHaveLength(SHORT.length)
    for (const outcome of await playCases(cases, 11, () => undefined)) {
      const { name, lives, tape, gaps } = outcome
      expect({ name, lives, ...tape }).toMatchObject({ name, lives: true, missing: 0, extra: 0 })
      expect([name, gaps.marked, gaps.printsRepaired]).toEqual([
        name,
        gaps.injected,
        gaps.printsLost,
      ])
      expect(outcome.struck).toBeGreaterThan(0)
      expect(outcome.tape.printed).toBeGreaterThan(0)
    }
  }, 180_000)
})
