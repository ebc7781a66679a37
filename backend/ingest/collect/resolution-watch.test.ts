import { beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { described } from '../../testing/venue-events.ts'
import { delisted, ResolutionWatch } from './resolution-watch.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

describe('markets whose end is to come', () => {
  let clock: FakeClock
  let watch: ResolutionWatch
  beforeEach(() => {
    clock = new FakeClock(NOW)
    watch = new ResolutionWatch(clock)
  })
  const closing = (at: number, facts: Partial<MarketFacts> = {}) =>
    described(NOW, { ticker: 'A', closeTime: at as Millis, ...facts })
  /** Asks for what is due each minute and notes the minutes in which it asked. */
  const askFor = async (minutes: number, answer: () => ReturnType<typeof described>[]) => {
    const requestedAt: number[] = []
    const gone: string[] = []
    for (let minute = 1; minute <= minutes; minute += 1) {
      await clock.advance(MINUTE)
      const due = watch.due(100)
      if (due.length === 0) continue
      requestedAt.push(minute)
      gone.push(...watch.answered(due, answer()))
    }
    return { requestedAt, gone }
  }

  it('trap 7: are asked for after their close, ever less often, until they are settled', async () => {
    const closed = closing(NOW + 5 * MINUTE, { status: 'closed' })
    watch.note([closing(NOW + 5 * MINUTE)])
    expect((await askFor(5, () => [])).requestedAt).toEqual([])
    expect((await askFor(40, () => [closed])).requestedAt).toEqual([1, 2, 3, 5, 9, 17, 33])
    await askFor(90, () => [closing(NOW + 5 * MINUTE, { status: 'settled', result: 'no' })])
    expect(watch.size).toBe(0)
  })

  it('trap 26: may trade on past their end, and are asked for as long as they do', async () => {
    watch.note([closing(NOW)])
    expect((await askFor(20, () => [closing(NOW)])).requestedAt).toEqual([1, 2, 4, 8, 16])
    expect(watch.size).toBe(1)
  })

  it('traps 7 and 27: that open again are left alone until their new close', async () => {
    watch.note([closing(NOW, { status: 'closed' })])
    const reopened = closing(NOW + DAY, { status: 'active' })
    expect((await askFor(120, () => [reopened])).requestedAt).toEqual([1])
    expect((await askFor(DAY / MINUTE, () => [reopened])).requestedAt[0]).toBe(
      DAY / MINUTE - 120 + 1,
    )
  })

  it('trap 27: are met anew when a settled ticker is listed again', () => {
    watch.note([closing(NOW, { status: 'settled' })])
    expect(watch.size).toBe(0)
    watch.note([closing(NOW + HOUR)])
    expect(watch.size).toBe(1)
  })

  it('are asked for when the listing leaves them out, and left alone when they are still there', async () => {
    watch.note([closing(NOW + DAY), described(NOW, { ticker: 'B', closeTime: null })])
    watch.listed(new Set(['B']))
    expect(watch.due(9)).toEqual(['A'])
    expect(watch.answered(['A'], [closing(NOW + DAY)])).toEqual([])
    watch.listed(new Set(['B']))
    expect(watch.due(9)).toEqual([])
    await clock.advance(2 * MINUTE)
    watch.listed(new Set(['B']))
    expect(watch.due(9)).toEqual(['A'])
  })

  it('trap 4: are delisted once the venue has not known them for half an hour', async () => {
    watch.note([closing(NOW + DAY)])
    watch.listed(new Set())
    const { requestedAt, gone } = await askFor(60, () => [])
    expect(requestedAt).toEqual([1, 2, 4, 8, 16])
    expect(gone).toEqual(['A'])
    expect(watch.size).toBe(0)
  })

  it('are not delisted by absences with an answer between', async () => {
    watch.note([closing(NOW + DAY)])
    watch.listed(new Set())
    let requested = 0
    const { gone } = await askFor(300, () => (++requested % 4 === 0 ? [closing(NOW + DAY)] : []))
    expect(gone).toEqual([])
  })

  it('are asked for those that waited longest first', async () => {
    for (const minute of [3, 1, 2])
      watch.expect(
        marketFacts({ ticker: `M${minute}`, closeTime: (NOW + minute * MINUTE) as Millis }),
      )
    await clock.advance(HOUR)
    expect(watch.due(2)).toEqual(['M1', 'M2'])
  })

  it('keep all that was known of them when they are delisted, but their state', () => {
    const facts = marketFacts({ status: 'active', closeTime: (NOW + DAY) as Millis })
    expect(delisted(facts, NOW)).toEqual({ ...facts, status: 'closed', closeTime: NOW })
    const past = { ...facts, closeTime: (NOW - DAY) as Millis }
    expect(delisted(past, NOW).closeTime).toBe(NOW - DAY)
    expect(delisted(past, NOW).result).toBeNull()
  })
})
