import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../backend/domain/units.ts'
import { recordAndAsk, type AsOfOutcome } from './as-of.ts'

const COURSE = { failureOneIn: 1, restarts: 1, afterwards: MINUTE, away: 10 * MINUTE }
const PROBES = 40
// Included in every run, besides randomly chosen ones.
const CHANGING_READS = 3

describe('responses for a past instant', () => {
  let outcome: AsOfOutcome
  beforeAll(async () => {
    outcome = await recordAndAsk({ probes: PROBES, seed: 3, course: COURSE, log: () => undefined })
  })

  it('are the same after faults, hours and restarts [conventions.as-of.never-changes]', () => {
    const { live, past, data, differences, struck } = outcome
    expect(differences).toEqual([])
    expect(live + past + data).toBe(PROBES + CHANGING_READS)
    for (const kind of [live, past, data]) expect(kind).toBeGreaterThan(0)
    expect(struck).toBeGreaterThan(0)
  })

  it('of lists and books, and facts of markets before they settled, contain nothing later', () => {
    expect(outcome.live).toBeGreaterThanOrEqual(CHANGING_READS)
    expect(outcome.differences).toEqual([])
    expect(outcome.outcomes.early).toEqual([])
    expect(outcome.outcomes.looked).toBeGreaterThan(0)
  })
})
