import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { memoryContext } from '../../testing/memory-context.ts'
import { SnapshotPublicationLog } from './snapshot-publication-log.ts'

const START = Date.parse('2026-11-20T14:03:00Z') as Millis
const at = (minutes: number): Millis => (START + minutes * MINUTE) as Millis
const GRID = at(-3)
const NEXT = at(12)

let clock: FakeClock
let stored: ContextStore
/** Writes fail while it is true. */
let isFull: boolean
const logOf = (): SnapshotPublicationLog =>
  new SnapshotPublicationLog({
    store: {
      servedAt: (asOf) => stored.servedAt(asOf),
      appendContext: (rows) =>
        isFull ? Promise.reject(new Error('the disk is full')) : stored.appendContext(rows),
    },
    clock,
    log: silentLogger,
  })
beforeEach(() => {
  clock = new FakeClock(START)
  stored = memoryContext()
  isFull = false
})

/** A service that started, served a snapshot a minute later and the next one late. */
async function aDayOfService(): Promise<SnapshotPublicationLog> {
  const log = logOf()
  await log.begin()
  await clock.advance(MINUTE)
  log.recordContext(GRID, false)
  log.recordWorld(GRID, GRID)
  await clock.advance(MINUTE)
  log.recordPreviousDay(GRID)
  await clock.advance(15 * MINUTE)
  log.recordContext(NEXT, true)
  return log
}

describe('served snapshots', () => {
  it('are recorded by when they were first served, not by their own instant', async () => {
    const log = await aDayOfService()
    expect(await log.at(at(-1))).toBeNull()
    expect(await log.at(at(0))).toMatchObject({ contextAt: null, worldAt: null })
    expect(await log.at(at(1))).toMatchObject({
      contextAt: GRID,
      worldAt: GRID,
      hasDayEarlier: false,
    })
    expect(await log.at(at(2))).toMatchObject({ contextAt: GRID, hasDayEarlier: true })
    expect(await log.at(at(16))).toMatchObject({ contextAt: GRID, publishedContextAt: GRID })
    expect(await log.at(at(17))).toMatchObject({
      contextAt: NEXT,
      hasDayEarlier: true,
      worldAt: GRID,
      worldContextAt: GRID,
    })
  })

  it('are the same for the service that starts next', async () => {
    const log = await aDayOfService()
    const instants = [-1, 0, 1, 2, 16, 17].map(at)
    const before = await Promise.all(instants.map((instant) => log.at(instant)))
    await clock.advance(MINUTE)
    await log.end()
    const next = logOf()
    await next.begin()
    expect(await Promise.all(instants.map((instant) => next.at(instant)))).toEqual(before)
  })

  it('are empty until the first snapshot after a start, and unknown while no service runs', async () => {
    const log = await aDayOfService()
    await clock.advance(MINUTE)
    await log.end()
    await clock.advance(30 * MINUTE)
    const next = logOf()
    await next.begin()
    await clock.advance(MINUTE)
    expect(await next.at(at(20))).toBeNull()
    expect(await next.at(at(48))).toMatchObject({
      contextAt: null,
      worldAt: null,
      publishedContextAt: NEXT,
      publishedWorldAt: GRID,
    })
  })

  it('are unknown for the days after a process that ended without recording it', async () => {
    const log = await aDayOfService()
    expect(await log.at((at(17) + DAY) as Millis)).not.toBeNull()
    expect(await log.at((at(17) + DAY + 1) as Millis)).toBeNull()
  })

  it('ignores a previous-day snapshot that is ready after the next snapshot', async () => {
    const log = await aDayOfService()
    log.recordContext(at(27), false)
    log.recordPreviousDay(NEXT)
    expect(await log.at(clock.now())).toMatchObject({ contextAt: at(27), hasDayEarlier: false })
  })

  it('are stored later when they cannot be stored now', async () => {
    const log = logOf()
    await log.begin()
    isFull = true
    log.recordContext(GRID, false)
    await clock.advance(MINUTE)
    isFull = false
    log.recordWorld(GRID, GRID)
    await log.end()
    expect(await stored.servedAt(at(0))).toMatchObject({ contextAt: GRID, worldAt: null })
  })
})
