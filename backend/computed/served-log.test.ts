import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, type Millis } from '../domain/units.ts'
import type { ContextStore } from '../history/context-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { memoryContext } from '../testing/memory-context.ts'
import { ServedLog } from './served-log.ts'

const START = Date.parse('2026-11-20T14:03:00Z') as Millis
const at = (minutes: number): Millis => (START + minutes * MINUTE) as Millis
const GRID = at(-3)
const NEXT = at(12)

let clock: FakeClock
let stored: ContextStore
/** Fails as long as it holds. */
let isFull: boolean
const logOf = (): ServedLog =>
  new ServedLog({
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

/** A service that began at the start, served a grid a minute later and the next one late. */
async function aDayOfService(): Promise<ServedLog> {
  const log = logOf()
  await log.begin()
  await clock.advance(MINUTE)
  log.noteGrid(GRID, false)
  log.noteWorld(GRID, GRID)
  await clock.advance(MINUTE)
  log.noteDayEarlier(GRID)
  await clock.advance(15 * MINUTE)
  log.noteGrid(NEXT, true)
  return log
}

describe('what is served', () => {
  it('is remembered from when on, and not by which instant it names', async () => {
    const log = await aDayOfService()
    expect(await log.at(at(-1))).toBeNull()
    expect(await log.at(at(0))).toMatchObject({ gridAt: null, worldAt: null })
    expect(await log.at(at(1))).toMatchObject({ gridAt: GRID, worldAt: GRID, hasDayEarlier: false })
    expect(await log.at(at(2))).toMatchObject({ gridAt: GRID, hasDayEarlier: true })
    expect(await log.at(at(16))).toMatchObject({ gridAt: GRID, publishedGridAt: GRID })
    expect(await log.at(at(17))).toMatchObject({
      ...{ gridAt: NEXT, hasDayEarlier: true, worldAt: GRID, worldGridAt: GRID },
    })
  })

  it('is the same for the service that starts next', async () => {
    const log = await aDayOfService()
    const instants = [-1, 0, 1, 2, 16, 17].map(at)
    const before = await Promise.all(instants.map((instant) => log.at(instant)))
    await clock.advance(MINUTE)
    await log.end()
    const next = logOf()
    await next.begin()
    expect(await Promise.all(instants.map((instant) => next.at(instant)))).toEqual(before)
  })

  it('is nothing until the first grid after a start, and not known while nothing runs', async () => {
    const log = await aDayOfService()
    await clock.advance(MINUTE)
    await log.end()
    await clock.advance(30 * MINUTE)
    const next = logOf()
    await next.begin()
    await clock.advance(MINUTE)
    expect(await next.at(at(20))).toBeNull()
    expect(await next.at(at(48))).toMatchObject({
      ...{ gridAt: null, worldAt: null, publishedGridAt: NEXT, publishedWorldAt: GRID },
    })
  })

  it('is not known of the days after a process that ended without a word', async () => {
    const log = await aDayOfService()
    expect(await log.at((at(17) + DAY) as Millis)).not.toBeNull()
    expect(await log.at((at(17) + DAY + 1) as Millis)).toBeNull()
  })

  it('forgets a grid of a day earlier that comes after the next grid', async () => {
    const log = await aDayOfService()
    log.noteGrid(at(27), false)
    log.noteDayEarlier(NEXT)
    expect(await log.at(clock.now())).toMatchObject({ gridAt: at(27), hasDayEarlier: false })
  })

  it('is stored later where it cannot be stored now', async () => {
    const log = logOf()
    await log.begin()
    isFull = true
    log.noteGrid(GRID, false)
    await clock.advance(MINUTE)
    isFull = false
    log.noteWorld(GRID, GRID)
    await log.end()
    expect(await stored.servedAt(at(0))).toMatchObject({ gridAt: GRID, worldAt: null })
  })
})
