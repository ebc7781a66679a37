import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { momentOf } from '../../lib/moment.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { Heartbeat } from './heartbeat.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

describe('the heartbeat of a venue', () => {
  let clock: FakeClock
  /** Recorded gaps by feed, and until when the feeds delivered. */
  let lost: Map<string, Millis>
  let recorded: (Millis | null | undefined)[]
  beforeEach(() => {
    clock = new FakeClock(NOW)
    lost = new Map()
    recorded = []
  })

  const heartbeat = (options: {
    streams: boolean
    streamsEveryTrade?: boolean
    isPastRead?: boolean
    pollInterval?: number
    checkClock?: () => void
    flush?: () => Promise<void>
  }): Heartbeat =>
    new Heartbeat({
      connector: { venue: 'venue_a', streamsEveryTrade: options.streamsEveryTrade ?? true },
      settings: {
        tapeInterval: MINUTE,
        pollInterval: (options.pollInterval ?? 10 * SECOND) as Millis,
      },
      pipeline: {
        checkClock: options.checkClock ?? (() => undefined),
        flush: options.flush ?? (() => Promise.resolve()),
      },
      progress: {
        save: (_venue, { aliveUntil }) => {
          recorded.push(aliveUntil)
          return Promise.resolve()
        },
      },
      coverage: {
        recordLoss: (feed, since) => void lost.set(feed, since),
        isMissing: (feed) => lost.has(feed),
      },
      stream: { isDelivering: () => options.streams },
      tape: { isPastRead: options.isPastRead ?? true, lastRead: momentOf(clock) },
      polls: { lastRead: momentOf(clock) },
      clock,
    })

  it('records that a stream delivers, however long nothing was polled', async () => {
    const beating = heartbeat({ streams: true })
    await clock.advance(30 * MINUTE)
    await beating.beat()
    expect(recorded).toEqual([NOW + 30 * MINUTE])
    expect(lost).toEqual(new Map())
  })

  it('records a gap of quotes when four polls in a row failed', async () => {
    const beating = heartbeat({ streams: false })
    await clock.advance(40 * SECOND)
    await beating.beat()
    expect(recorded).toEqual([NOW + 40 * SECOND])
    await clock.advance(SECOND)
    await beating.beat()
    expect(lost).toEqual(new Map([['quotes', NOW]]))
    expect(recorded).toHaveLength(1)
  })

  it('records a gap of trades when the trade history of a streaming venue is overdue', async () => {
    const beating = heartbeat({ streams: true, streamsEveryTrade: false })
    await clock.advance(4 * MINUTE + SECOND)
    await beating.beat()
    expect(lost).toEqual(new Map([['trades', NOW]]))
    expect(recorded).toEqual([])
  })

  it('records no overdue trade history before the backfill is complete', async () => {
    const beating = heartbeat({ streams: true, streamsEveryTrade: false, isPastRead: false })
    await clock.advance(4 * MINUTE + SECOND)
    await beating.beat()
    expect(lost).toEqual(new Map())
  })

  it('records nothing while events cannot be written', async () => {
    await heartbeat({ streams: true, flush: () => Promise.reject(new Error('disk full')) }).beat()
    expect(recorded).toEqual([])
  })

  it.each([
    ['streams trades of one outcome', { streams: true, streamsEveryTrade: false }, 4 * MINUTE],
    ['is polled each ten seconds', { streams: false }, 4 * MINUTE],
    ['is polled each two minutes', { streams: false, pollInterval: 2 * MINUTE }, 8 * MINUTE],
    ['streams every trade', { streams: true }, Infinity],
  ])('misses trades of a venue that %s after four intervals', async (_what, options, overdue) => {
    const beating = heartbeat(options)
    const isLost = async (passed: number): Promise<boolean> => {
      await clock.advance(NOW + passed - clock.now())
      await beating.beat()
      return lost.has('trades')
    }
    const last = Math.min(overdue, HOUR)
    expect(await isLost(last)).toBe(false)
    expect(await isLost(last + 1)).toBe(overdue !== Infinity)
    expect(lost.get('trades') ?? NOW).toBe(NOW)
  })

  it.each(['quotes', 'trades'])('records no delivery while %s are missing', async (feed) => {
    lost.set(feed, NOW)
    await heartbeat({ streams: true }).beat()
    expect(recorded).toEqual([])
  })

  it('checks the clock first, so that it records a time that is right', async () => {
    const checks: number[] = []
    const beating = heartbeat({
      streams: true,
      checkClock: () => {
        expect(recorded).toHaveLength(checks.length)
        checks.push(clock.now())
      },
    })
    await beating.beat()
    await beating.beat()
    expect(checks).toEqual([NOW, NOW])
    expect(recorded).toEqual([NOW, NOW])
  })
})
