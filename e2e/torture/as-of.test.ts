import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../backend/domain/units.ts'
import { recordAndAsk } from './as-of.ts'

const COURSE = { troubleOneIn: 1, restarts: 1, afterwards: MINUTE, away: 10 * MINUTE }
// Included in every run, besides randomly chosen ones.
const CHANGING_READS = 3

describe('responses for a past instant', () => {
  it('are the same after faults, hours and restarts [conventions.as-of.never-changes]', async () => {
    const outcome = await recordAndAsk({
      probes: 40,
      seed: 3,
      course: COURSE,
      say: () => undefined,
    })
    expect(outcome.differences).toEqual([])
    expect(outcome.outcomes.early).toEqual([])
    expect(outcome.outcomes.looked).toBeGreaterThan(0)
    const { live, past, data } = outcome
    expect(live + past + data).toBe(40 + CHANGING_READS)
    for (const kind of [live, past, data]) expect(kind).toBeGreaterThan(0)
    expect(outcome.struck).toBeGreaterThan(0)
  })

  it('of lists and books, and facts of markets before they settled, contain nothing later', async () => {
    const { differences, outcomes, live } = await recordAndAsk({
      probes: 0,
      seed: 3,
      course: { troubleOneIn: 1, restarts: 0, afterwards: MINUTE, away: MINUTE },
      say: () => undefined,
    })
    expect(live).toBe(CHANGING_READS)
    expect(differences).toEqual([])
    expect(outcomes.early).toEqual([])
    expect(outcomes.looked).toBeGreaterThan(0)
  })
})
