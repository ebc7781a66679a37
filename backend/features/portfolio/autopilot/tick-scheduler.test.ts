import { afterEach, beforeEach, expect, it } from 'vitest'
import { DEFAULT_CONFIG, type PortfolioConfig } from '../../../domain/portfolio/config.ts'
import type { Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { PerUserQueue } from '../../../lib/per-user-queue.ts'
import { openState, type State } from '../../../state/open.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { createPortfolioStore, type PortfolioStore } from '../portfolio.store.ts'
import { TickScheduler } from './tick-scheduler.ts'
import type { TickRunner, TickStart } from './tick-runner.ts'
import { addUser } from '../../../testing/users.ts'

const USER = 'usr_schedule'
const at = (iso: string): Millis => Date.parse(iso) as Millis
let state: State
let portfolios: PortfolioStore
let clock: FakeClock
let running: string | null
let started: string[]

beforeEach(async () => {
  state = await openState(':memory:')
  await addUser(state, USER)
  portfolios = createPortfolioStore(state)
  running = null
  started = []
})
afterEach(() => state.destroy())

const configure = (change: Partial<PortfolioConfig>, lastSlot?: Millis) =>
  portfolios.change(
    USER,
    {
      config: { ...DEFAULT_CONFIG, enabled: true, ...change },
      ...(lastSlot !== undefined && { lastSlot }),
    },
    clock.now(),
  )
/** Follows the schedules once, at an instant. */
async function follow(now: string): Promise<string[]> {
  started = []
  clock = new FakeClock(at(now))
  const record = async (what: string, { slot, missedRuns }: TickStart): Promise<void> => {
    started.push(`${what} ${new Date(slot ?? 0).toISOString().slice(5, 16)} missed ${missedRuns}`)
    await portfolios.change(USER, { lastSlot: slot }, clock.now())
  }
  const runner = {
    runningTickId: () => running,
    start: (_userId: string, _portfolio: object, start: TickStart) => record('run', start),
    skip: (_userId: string, _portfolio: object, start: TickStart, why: string) =>
      record(why, start),
  } as unknown as TickRunner
  const userQueue = new PerUserQueue()
  // The first pass is over when the scheduler waits for the next slot.
  const isWaiting = new Promise<void>((resolve) => {
    const sleep = clock.sleep.bind(clock)
    clock.sleep = (span, signal) => {
      resolve()
      return sleep(span, signal)
    }
  })
  const scheduler = new TickScheduler({ portfolios, runner, userQueue, clock, log: silentLogger })
  const stop = new AbortController()
  const ended = scheduler.run(stop.signal)
  await isWaiting
  stop.abort()
  await ended
  return started
}

it('[portfolio.ticks.schedule] starts each slot once, and skips what a stop, a halt or a tick missed', async () => {
  clock = new FakeClock(at('2026-11-20T12:00:00Z'))
  await configure({}, clock.now())
  expect(await follow('2026-11-20T14:59:59Z')).toEqual([])
  expect(await follow('2026-11-20T15:00:00Z')).toEqual(['run 11-20T15:00 missed 0'])
  expect(await follow('2026-11-20T15:00:01Z')).toEqual([])
  // The clock was set back over the slot.
  expect(await follow('2026-11-20T14:00:00Z')).toEqual([])
  expect(await follow('2026-11-20T15:00:00Z')).toEqual([])
  // Off until half an hour after a slot, and for two days.
  expect(await follow('2026-11-21T03:30:00Z')).toEqual(['run 11-21T03:00 missed 0'])
  expect(await follow('2026-11-23T12:00:00Z')).toEqual(['missed 11-23T03:00 missed 4'])
  running = 'pt_1'
  expect(await follow('2026-11-23T15:00:00Z')).toEqual(['overlap 11-23T15:00 missed 0'])
  running = null
  await configure({ executionMode: 'halted' })
  expect(await follow('2026-11-24T03:00:00Z')).toEqual(['halted 11-24T03:00 missed 0'])
  await configure({ enabled: false })
  expect(await follow('2026-11-24T15:00:00Z')).toEqual([])
})

it('is not idle while it reads what is due, so that a replay waits', async () => {
  clock = new FakeClock(at('2026-11-20T15:00:00Z'))
  const reading = Promise.withResolvers<string[]>()
  const slow = { ...portfolios, scheduled: () => reading.promise }
  const deps = { portfolios: slow, userQueue: new PerUserQueue(), clock, log: silentLogger }
  const scheduler = new TickScheduler({ ...deps, runner: {} as unknown as TickRunner })
  expect(scheduler.isIdle).toBe(true)
  const stop = new AbortController()
  const ended = scheduler.run(stop.signal)
  expect(scheduler.isIdle).toBe(false)
  reading.resolve([])
  await scheduler.idle()
  expect(scheduler.isIdle).toBe(true)
  stop.abort()
  await ended
})

it('reports a stored cron expression that cannot be followed', async () => {
  clock = new FakeClock(at('2026-11-20T12:00:00Z'))
  await configure({ cronExpression: '99 * * * *' }, clock.now())
  expect(await follow('2026-11-20T15:00:00Z')).toEqual([])
  const { scheduleError } = await portfolios.read(USER)
  expect(scheduleError).toBe('cronExpression has a field out of range')
})
