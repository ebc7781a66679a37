import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import type { ScheduledFault } from './fault.ts'
import { Faults } from './faults.ts'
import { parseFault, parseScript } from './parse-fault.ts'

const faultOf = (body: object): ScheduledFault => {
  const parsed = parseFault({ venue: 'venue_a', kind: 'gap', ...body })
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

describe('a script', () => {
  it('is refused with the place and the reason of an invalid fault', () => {
    const step = { venue: 'venue_a', kind: 'gap' }
    expect(parseScript({})).toBe('steps must be a list')
    expect(parseScript({ steps: [step, { ...step, kind: 'mood' }] })).toBe(
      'steps[1]: kind is unknown',
    )
    expect(parseScript({ steps: [{ kind: 'gap' }] })).toMatch('venue must be')
    expect(parseScript({ steps: [{ ...step, route: '(' }] })).toMatch('regular expression')
    expect(parseScript({ steps: [{ venue: 'venue_b', kind: 'error-frame' }] })).toMatch(
      'venue_b sends no error frames',
    )
    expect(parseScript({ steps: [step, step] })).toHaveLength(2)
  })

  it('applies once by default, and for a time if it has a duration', () => {
    expect(faultOf({}).fault).toMatchObject({ count: 1, forMs: null })
    expect(faultOf({ count: 3 }).fault).toMatchObject({ count: 3, forMs: null })
    expect(faultOf({ forMs: 2_000 }).fault).toMatchObject({ count: null, forMs: 2_000 })
    expect(faultOf({ kind: 'freeze' }).fault).toMatchObject({ count: null, forMs: 5_000 })
    expect(faultOf({ kind: 'freeze', milliseconds: 900 }).fault.forMs).toBe(900)
    expect(faultOf({ kind: 'clock-skew' }).fault.forMs).toBe(Infinity)
  })
})

describe('faults', () => {
  it('start and end at their times', async () => {
    const clock = new FakeClock()
    const start = clock.now()
    const faults = new Faults(clock)
    faults.schedule(faultOf({ at: 1_000, forMs: 500 }))
    const strikes = () => faults.firstActive('venue_a', ['gap'])
    expect(strikes()).toBeNull()
    expect(faults.report()[0]).toMatchObject({ state: 'waiting', from: start + 1_000 })
    await clock.advance(1_000)
    strikes()?.record('trade', ['X'])
    await clock.advance(499)
    strikes()?.record('book', ['Y'], 2)
    await clock.advance(1)
    expect(strikes()).toBeNull()
    expect(faults.report()).toMatchObject([
      {
        id: 1,
        venue: 'venue_a',
        kind: 'gap',
        state: 'over',
        left: null,
        from: start + 1_000,
        to: start + 1_500,
        effectCount: 2,
        corrupted: 3,
        markets: ['X', 'Y'],
        listedEffects: [
          { at: start + 1_000, where: 'trade', markets: ['X'], corrupted: 1 },
          { at: start + 1_499, where: 'book', markets: ['Y'], corrupted: 2 },
        ],
      },
    ])
  })

  it('start after a number of requests to their venue', () => {
    const faults = new Faults(new FakeClock())
    faults.schedule(faultOf({ kind: 'status', afterRequests: 2 }))
    const isStruck = (): boolean => {
      faults.countRequest('venue_a')
      return faults.firstActive('venue_a', ['status']) !== null
    }
    faults.countRequest('venue_b')
    expect([isStruck(), isStruck(), isStruck()]).toEqual([false, false, true])
  })

  it('are used up by their count, in their scripted order', () => {
    const faults = new Faults(new FakeClock())
    faults.schedule(faultOf({ kind: 'delay', count: 1 }))
    faults.schedule(faultOf({ kind: 'hang', count: 1 }))
    const next = (): string | undefined => {
      const active = faults.firstActive('venue_a', ['hang', 'delay'])
      active?.record('request')
      return active?.fault.kind
    }
    expect([next(), next(), next()]).toEqual(['delay', 'hang', undefined])
    faults.clear()
    expect(faults.report()).toEqual([])
  })
})
