import { describe, expect, it } from 'vitest'
import { HOUR, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { progressSoFar } from './feed-progress.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const before = (NOW - HOUR) as Millis
const ahead = (NOW + HOUR) as Millis

const soFar = (noted: { aliveUntil: Millis; tradesUntil: Millis }, newest: Millis | null) =>
  progressSoFar('venue_a', {
    progress: {
      progressOf: () => Promise.resolve({ backfilledAt: null, endedUntil: null, ...noted }),
    },
    history: { newestTradeAt: () => Promise.resolve(newest) },
    clock: new FakeClock(NOW),
  })

describe('how far the feeds of a venue were read', () => {
  it('is what was noted', async () => {
    expect(await soFar({ aliveUntil: before, tradesUntil: NOW }, null)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })

  it('has the newest trade on file for each place that is still to come', async () => {
    expect(await soFar({ aliveUntil: ahead, tradesUntil: NOW }, before)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })

  it.each([null, ahead])('is never beyond now, also where the newest trade is %s', async (at) => {
    expect(await soFar({ aliveUntil: before, tradesUntil: ahead }, at)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })
})
