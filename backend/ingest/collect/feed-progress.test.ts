import { describe, expect, it } from 'vitest'
import { HOUR, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { progressSoFar } from './feed-progress.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const before = (NOW - HOUR) as Millis
const ahead = (NOW + HOUR) as Millis

const soFar = (recorded: { aliveUntil: Millis; tradesUntil: Millis }, newest: Millis | null) =>
  progressSoFar('venue_a', {
    progress: {
      progressOf: () => Promise.resolve({ backfilledAt: null, endedUntil: null, ...recorded }),
    },
    history: { newestTradeAt: () => Promise.resolve(newest) },
    clock: new FakeClock(NOW),
  })

describe('read positions of the feeds of a venue', () => {
  it('are those that were saved', async () => {
    expect(await soFar({ aliveUntil: before, tradesUntil: NOW }, null)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })

  it('are the newest stored trade if saved in the future', async () => {
    expect(await soFar({ aliveUntil: ahead, tradesUntil: NOW }, before)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })

  it.each([null, ahead])('are never beyond now, also if the newest trade is %s', async (at) => {
    expect(await soFar({ aliveUntil: before, tradesUntil: ahead }, at)).toMatchObject({
      aliveUntil: before,
      tradesUntil: NOW,
    })
  })
})
