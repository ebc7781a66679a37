import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import {
  calibrate,
  calibrationCurve,
  expectedCalibrationError,
  foldsOf,
  IDENTITY_CURVE,
  isotonicCurve,
  plattCurve,
} from './calibration.ts'
import type { CalibrationSample } from './calibration.ts'

const sample = (raw: number, equivalent: boolean, event = String(raw)): CalibrationSample => ({
  raw,
  equivalent,
  event,
})
const samples = fc.array(
  fc.record({
    raw: fc.double({ min: 0, max: 1, noNaN: true }),
    equivalent: fc.boolean(),
    event: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  }),
  { minLength: 1, maxLength: 250 },
)

describe('calibration', () => {
  it('pools decreasing neighbours', () => {
    const curve = isotonicCurve([
      sample(0.1, false),
      sample(0.3, true),
      sample(0.5, false),
      sample(0.9, true),
    ])
    expect(curve).toEqual([
      [0.1, 0],
      [0.3, 0.5],
      [0.5, 0.5],
      [0.9, 1],
    ])
    expect(calibrate(curve, 0.2)).toBeCloseTo(0.25)
    expect(calibrate(curve, 0)).toBe(0)
    expect(calibrate(curve, 1)).toBe(1)
  })

  it('never falls, stays in 0 to 1 and does not depend on the order', () => {
    fc.assert(
      fc.property(samples, (list) => {
        for (const fit of [isotonicCurve, plattCurve, calibrationCurve]) {
          const curve = fit(list)
          for (let step = 0; step < 20; step++) {
            const [low, high] = [calibrate(curve, step / 20), calibrate(curve, (step + 1) / 20)]
            expect(low).toBeLessThanOrEqual(high + 1e-9)
            expect(low).toBeGreaterThanOrEqual(0)
            expect(high).toBeLessThanOrEqual(1)
          }
          const mirrored = fit([...list].reverse())
          expect(calibrate(mirrored, 0.4)).toBeCloseTo(calibrate(curve, 0.4), 9)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('stays near the identity with few labels but not with many', () => {
    const few = plattCurve([sample(0.9, false)])
    expect(Math.abs(calibrate(few, 0.5) - 0.5)).toBeLessThan(0.1)
    const many = plattCurve(Array.from({ length: 150 }, (_, i) => sample(0.9, i % 10 === 0)))
    expect(calibrate(many, 0.9)).toBeLessThan(0.4)
    expect(calibrationCurve([])).toBe(IDENTITY_CURVE)
    expect(calibrate(IDENTITY_CURVE, 0.37)).toBeCloseTo(0.37)
  })

  it('keeps an event in one fold and the folds similar in size', () => {
    const list = Array.from({ length: 100 }, (_, i) => sample(i / 100, true, `e${i % 20}`))
    const folds = foldsOf(list)
    expect(folds.size).toBe(20)
    const sizes = [0, 1, 2, 3, 4].map(
      (fold) => list.filter(({ event }) => folds.get(event) === fold).length,
    )
    expect(sizes).toEqual([20, 20, 20, 20, 20])
  })

  it('measures the calibration error over ten bands', () => {
    const list = [
      { confidence: 0.95, equivalent: true },
      { confidence: 0.95, equivalent: false },
      { confidence: 0.1, equivalent: false },
    ]
    expect(expectedCalibrationError(list)).toBeCloseTo((0.9 + 0.1) / 3)
    expect(expectedCalibrationError([])).toBeNull()
  })
})
