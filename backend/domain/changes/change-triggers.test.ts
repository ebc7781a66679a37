import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NEW_TRIGGERS, stepTriggers } from './change-triggers.ts'
import type { TriggerEvent, TriggerReading } from './change-triggers.ts'
import { QUARTER_HOUR } from './change-rows.ts'
import { priceMoves } from '../prices/price-moves.ts'
import type { Cents, Millis } from '../units.ts'

const reading = (more: Partial<TriggerReading> = {}): TriggerReading => ({
  vr: 0,
  spread: 2 as Cents,
  medianSpread7d: 2 as Cents,
  label: 'neutral',
  ...more,
})
/** Events over readings a quarter hour apart. */
function run(readings: readonly TriggerReading[]): TriggerEvent[] {
  let state = NEW_TRIGGERS
  return readings.flatMap((one, i) => {
    const step = stepTriggers(state, one, 'T', (i * QUARTER_HOUR) as Millis)
    state = step.state
    return step.events
  })
}
const steps = (readings: readonly TriggerReading[]) =>
  run(readings).map(({ at }) => at / QUARTER_HOUR)
const ofVr = (...values: (number | null)[]) => values.map((vr) => reading({ vr }))
const ofSpread = (...values: (number | null)[]) =>
  values.map((spread) => reading({ spread: spread as Cents | null }))

describe('F6: volume spikes', () => {
  it('are emitted once, and again after the ratio fell below 1.5', () => {
    expect(steps(ofVr(0, 3, 4, 1.5, 5, 1.49, 3))).toEqual([1, 6])
    expect(run(ofVr(0.5, 3.25))[0]).toMatchObject({
      type: 'volume_spike',
      before: 0.5,
      after: 3.25,
      delta: 2.75,
    })
  })
  it('are emitted at the first reading too; an unknown ratio changes nothing', () => {
    expect(run(ofVr(3.1))[0]).toMatchObject({ before: null, after: 3.1, delta: null })
    expect(steps(ofVr(3, null, 3, null, 1, null, 3))).toEqual([0, 6])
    expect(run(ofVr(1, null, 4))[0]?.before).toBe(1)
  })
})

describe('F6: spread changes', () => {
  it('are emitted when the spread becomes wide and when it is normal again', () => {
    expect(steps(ofSpread(2, 6, 9, 3, 2.9, 2, 5.9, 6))).toEqual([1, 4, 7])
    expect(run(ofSpread(2, 6))[0]).toMatchObject({ before: 2, after: 6, delta: 4 })
  })
  it('need five cents and a known median', () => {
    const narrow = (spread: number) =>
      reading({ spread: spread as Cents, medianSpread7d: 1 as Cents })
    expect(steps([narrow(3), narrow(4.9), narrow(5)])).toEqual([2])
    expect(run([reading({ spread: 50 as Cents, medianSpread7d: null })])).toEqual([])
    expect(steps(ofSpread(6, null, 6, null, 2))).toEqual([0, 4])
  })
})

describe('F6: regime changes', () => {
  it('are emitted when the label differs from the last known one', () => {
    const labels = [null, 'neutral', 'neutral', null, 'taker', 'taker', 'neutral'] as const
    const events = run(labels.map((label) => reading({ label })))
    expect(events.map(({ at, before, after }) => [at / QUARTER_HOUR, before, after])).toEqual([
      [4, 'neutral', 'taker'],
      [6, 'taker', 'neutral'],
    ])
  })
})

describe('F6: events', () => {
  it('price_move: 40 to 44 is one, 46 none, 47 one', () => {
    const prices = [40, 44, 46, 47]
    const at = (i: number) => (i * QUARTER_HOUR) as Millis
    const priceAt = (instant: Millis) => (prices[instant / QUARTER_HOUR] ?? 40) as Cents
    const moves = priceMoves('T', [1, 2, 3].map(at), priceAt)
    expect(moves.map(({ at: instant, delta }) => [instant / QUARTER_HOUR, delta])).toEqual([
      [1, 4],
      [3, 3],
    ])
  })
  const any = fc.record({
    vr: fc.option(fc.double({ min: -2, max: 6, noNaN: true })),
    spread: fc.option(fc.integer({ min: 1, max: 12 }).map((cents) => cents as Cents)),
    medianSpread7d: fc.option(fc.integer({ min: 1, max: 4 }).map((cents) => cents as Cents)),
    label: fc.option(fc.constantFrom('maker', 'taker', 'neutral')),
  })
  it('have unique ids and do not depend on later data', () => {
    fc.assert(
      fc.property(fc.array(any), fc.nat(20), (readings, cut) => {
        const events = run(readings)
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
        const prefix = run(readings.slice(0, cut))
        expect(events.slice(0, prefix.length)).toEqual(prefix)
      }),
    )
  })
  it('spikes and returns alternate', () => {
    fc.assert(
      fc.property(fc.array(any), (readings) => {
        const changes = run(readings).filter(({ type }) => type === 'spread_change')
        let state = NEW_TRIGGERS
        let turns = 0
        for (const [i, one] of readings.entries()) {
          const step = stepTriggers(state, one, 'T', (i * QUARTER_HOUR) as Millis)
          if (step.state.isWide !== state.isWide) turns++
          state = step.state
        }
        expect(changes).toHaveLength(turns)
      }),
    )
  })
})
