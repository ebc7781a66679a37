import { describe, expect, it } from 'vitest'
import { playCases } from './venue-faults.ts'
import { FAULT_CASES } from './venue-faults/fault-cases.ts'

/** One fault of each kind; all of them are played by `npm run torture -- venue-faults`. */
const SHORT = ['venue_a lost trades', 'venue_a cut', 'venue_b malformed JSON']

describe('a misbehaving venue', () => {
  it('costs no trade and doubles none', async () => {
    const cases = FAULT_CASES.filter(({ name }) => SHORT.includes(name))
    expect(cases).toHaveLength(SHORT.length)
    for (const outcome of await playCases(cases, 11, () => undefined)) {
      expect(outcome).toMatchObject({ lives: true, tape: { missing: 0, extra: 0 } })
      expect(outcome.struck).toBeGreaterThan(0)
      expect(outcome.tape.printed).toBeGreaterThan(0)
    }
  }, 180_000)
})
