import { describe, expect, it } from 'vitest'
import { jumpUnderService } from './clock-jumps.ts'
import { JUMPS } from './clock-jumps/jumps.ts'
import { brokenPauses, wrongDecisions } from './clock-jumps/limits.ts'

/** Within this time the markets whose quote was dated ahead are quoted again. */
const INTERVAL = 150_000
/** Four beats of the demo. */
const STEP = 1_000
const NOW = Date.parse('2026-11-20T14:02:00.000Z')

describe.each(JUMPS)('the clock jumps $name', ({ span }) => {
  it('and no limit opens early or stays closed', async () => {
    expect(await wrongDecisions(span(NOW))).toBe(0)
    expect(await brokenPauses(span(NOW))).toBe(0)
  })
})

describe('the clock of a running service jumps', () => {
  it.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])(
    'an hour %s and back without a wrong bar or a lost trade',
    async (_where, span) => {
      const outcome = await jumpUnderService(() => span, 11, { interval: INTERVAL, step: STEP })
      expect(outcome).toMatchObject({
        missing: 0,
        doubled: 0,
        wrongBars: 0,
        wrongFires: 0,
        datedAhead: 0,
        lives: true,
      })
      expect(outcome.bars).toBeGreaterThan(0)
      expect(outcome.printed).toBeGreaterThan(0)
    },
    240_000,
  )
})
