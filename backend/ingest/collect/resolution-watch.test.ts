import { beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { described } from '../../testing/venue-events.ts'
import { delistedFacts, ResolutionWatch } from './resolution-watch.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

describe('pending resolutions', () => {
  let clock: FakeClock
  let watch: ResolutionWatch
  beforeEach(() => {
    clock = new FakeClock(NOW)
    watch = new ResolutionWatch(clock)
  })
  const closing = (at: number, facts: Partial<MarketFacts> = {}) =>
    described(NOW, { ticker: 'A', closeTime: at as Millis, ...facts })
  /** Requests due markets each minute and records the minutes of the requests. */
  const askFor = async (minutes: number, answer: () => ReturnType<typeof described>[]) => {
    const requestedAt: number[] = []
    const missing: string[] = []
    for (let minute = 1; minute <= minutes; minute += 1) {
      await clock.advance(MINUTE)
      const due = watch.dueMarkets(100)
      if (due.length === 0) continue
      requestedAt.push(minute)
      missing.push(...watch.recordResponse(due, answer()))
    }
    return { requestedAt, missing }
  }

  it('trap 7: are requested after their close with increasing delays, until they are settled', async () => {
    const closed = closing(NOW + 5 * MINUTE, { status: 'closed' })
    watch.addEvents([closing(NOW + 5 * MINUTE)])
    expect((await askFor(5, () => [])).requestedAt).toEqual([])
    expect((await askFor(40, () => [closed])).requestedAt).toEqual([1, 2, 3, 5, 9, 17, 33])
    await askFor(90, () => [closing(NOW + 5 * MINUTE, { status: 'settled', result: 'no' })])
    expect(watch.size).toBe(0)
  })

  it('trap 26: may trade past their end, and are requested as long as they do', async () => {
    watch.addEvents([closing(NOW)])
    expect((await askFor(20, () => [closing(NOW)])).requestedAt).toEqual([1, 2, 4, 8, 16])
    expect(watch.size).toBe(1)
  })

  it('traps 7 and 27: that open again are not requested until their new close', async () => {
    watch.addEvents([closing(NOW, { status: 'closed' })])
    const reopened = closing(NOW + DAY, { status: 'active' })
    expect((await askFor(120, () => [reopened])).requestedAt).toEqual([1])
    expect((await askFor(DAY / MINUTE, () => [reopened])).requestedAt[0]).toBe(
      DAY / MINUTE - 120 + 1,
    )
  })

  it('trap 27: start again when a settled ticker is listed again', () => {
    watch.addEvents([closing(NOW, { status: 'settled' })])
    expect(watch.size).toBe(0)
    watch.addEvents([closing(NOW + HOUR)])
    expect(watch.size).toBe(1)
  })

  it('are requested when the listing leaves them out, and not again if they still exist', async () => {
    watch.addEvents([closing(NOW + DAY), described(NOW, { ticker: 'B', closeTime: null })])
    watch.recordListing(new Set(['B']))
    expect(watch.dueMarkets(9)).toEqual(['A'])
    expect(watch.recordResponse(['A'], [closing(NOW + DAY)])).toEqual([])
    watch.recordListing(new Set(['B']))
    expect(watch.dueMarkets(9)).toEqual([])
    await clock.advance(2 * MINUTE)
    watch.recordListing(new Set(['B']))
    expect(watch.dueMarkets(9)).toEqual(['A'])
  })

  it('trap 4: are delisted after half an hour of absence at the venue', async () => {
    watch.addEvents([closing(NOW + DAY)])
    watch.recordListing(new Set())
    const { requestedAt, missing } = await askFor(60, () => [])
    expect(requestedAt).toEqual([1, 2, 4, 8, 16])
    expect(missing).toEqual(['A'])
    expect(watch.size).toBe(0)
  })

  it('are not delisted by absences with a response between', async () => {
    watch.addEvents([closing(NOW + DAY)])
    watch.recordListing(new Set())
    let requested = 0
    const { missing } = await askFor(300, () => (++requested % 4 === 0 ? [closing(NOW + DAY)] : []))
    expect(missing).toEqual([])
  })

  it('are requested in order of the longest wait', async () => {
    for (const minute of [3, 1, 2])
      watch.expect(
        marketFacts({ ticker: `M${minute}`, closeTime: (NOW + minute * MINUTE) as Millis }),
      )
    await clock.advance(HOUR)
    expect(watch.dueMarkets(2)).toEqual(['M1', 'M2'])
  })

  it('keep all facts except their state when they are delisted', () => {
    const facts = marketFacts({ status: 'active', closeTime: (NOW + DAY) as Millis })
    expect(delistedFacts(facts, NOW)).toEqual({ ...facts, status: 'closed', closeTime: NOW })
    const past = { ...facts, closeTime: (NOW - DAY) as Millis }
    expect(delistedFacts(past, NOW).closeTime).toBe(NOW - DAY)
    expect(delistedFacts(past, NOW).result).toBeNull()
  })
})
