import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../backend/domain/units.ts'
import { recordAndAsk } from './as-of.ts'

const COURSE = { troubleOneIn: 1, restarts: 1, afterwards: MINUTE, away: 10 * MINUTE }

describe('answers of an instant', () => {
  it('are the same when asked again after faults, hours and restarts [conventions.as-of.never-changes]', async () => {
    const outcome = await recordAndAsk({
      probes: 40,
      seed: 3,
      course: COURSE,
      say: () => undefined,
    })
    expect(outcome.differences).toEqual([])
    const { live, past, data } = outcome
    expect(live + past + data).toBe(40)
    for (const kind of [live, past, data]) expect(kind).toBeGreaterThan(0)
    expect(outcome.struck).toBeGreaterThan(0)
  }, 300_000)
})
