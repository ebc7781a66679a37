import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { quoted, traded } from '../testing/venue-events.ts'
import type { LostRows } from './batch.ts'
import { HistoryWriter, type WriterOptions } from './history-writer.ts'

const LANES = 8
const PAGE = 1_000
const PAGES_EACH = 12
const TURN = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue of the history writer', () => {
  it('stays bounded with a slow disk during a backfill', async () => {
    const clock = new FakeClock()
    const sizes: number[] = []
    const append = async ({ trades }: HistoryBatch): Promise<void> => {
      for (let turn = 0; turn < 50; turn++) await TURN()
      sizes.push(trades?.tradeId.length ?? 0)
    }
    const history = { append } as unknown as HistoryStore
    const writer = new HistoryWriter({ history, clock, log: silentLogger })
    const event = traded(clock.now(), {})
    const lane = async (): Promise<void> => {
      for (let page = 0; page < PAGES_EACH; page++) {
        for (let row = 0; row < PAGE; row++) writer.pending.add(1, event)
        await writer.makeRoom()
        await TURN()
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    await writer.close()
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(LANES * PAGES_EACH * PAGE)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000 + 2 * LANES * PAGE)
  })
})

describe('the history writer', () => {
  let clock: FakeClock
  let writer: HistoryWriter
  /** Rows of each stored batch: trades and quotes. */
  let stored: [number, number][]
  let attempts: number
  /** Why the disk refuses rows. */
  let refusal: Error | null
  /** Resolves when the disk has written; null writes at once. */
  let disk: Promise<void> | null
  let start: Millis

  const open = (options: Partial<WriterOptions> = {}): void => {
    const append = async ({ trades, quotes }: HistoryBatch): Promise<void> => {
      attempts += 1
      await disk
      if (refusal !== null) throw refusal
      stored.push([trades?.tradeId.length ?? 0, quotes?.bid.length ?? 0])
    }
    const history = { append } as unknown as HistoryStore
    writer = new HistoryWriter({ history, clock, log: silentLogger, ...options })
  }
  beforeEach(() => {
    clock = new FakeClock()
    start = clock.now()
    stored = []
    attempts = 0
    refusal = null
    disk = null
    open()
  })
  afterEach(async () => {
    refusal = null
    await writer.close()
  })

  const add = (count: number): void => {
    const event = traded(start)
    for (let row = 0; row < count; row += 1) writer.pending.add(1, event)
  }
  const isSettled = async (promise: Promise<void>): Promise<boolean> => {
    let settled = false
    void promise.then(() => (settled = true))
    await TURN()
    return settled
  }

  it('collects a few rows for a quarter of a second', async () => {
    add(499)
    await writer.makeRoom()
    await clock.advance(200)
    add(1)
    void writer.makeRoom()
    await TURN()
    expect(stored).toEqual([[500, 0]])
    add(499)
    await writer.makeRoom()
    await clock.advance(49)
    expect(stored).toHaveLength(1)
    await clock.advance(1)
    expect(stored).toEqual([
      [500, 0],
      [499, 0],
    ])
    // Without rows there is nothing to write, and no timer.
    await writer.makeRoom()
    await clock.advance(10_000)
    expect(attempts).toBe(2)
  })

  it('delays its caller above five thousand waiting rows until they are on disk', async () => {
    const written = Promise.withResolvers<void>()
    disk = written.promise
    add(500)
    await writer.makeRoom()
    add(5_000)
    expect(await isSettled(writer.makeRoom())).toBe(true)
    add(1)
    const delayed = writer.makeRoom()
    expect(await isSettled(delayed)).toBe(false)
    written.resolve()
    await delayed
    expect(stored).toEqual([[500, 0]])
  })

  it('stores with a flush what was added while a batch is being written', async () => {
    const written = Promise.withResolvers<void>()
    disk = written.promise
    add(500)
    await writer.makeRoom()
    add(3)
    const flushed = writer.flush()
    expect(await isSettled(flushed)).toBe(false)
    written.resolve()
    await flushed
    expect(stored).toEqual([
      [500, 0],
      [3, 0],
    ])
  })

  it('retries a refused batch each second, before the newer rows', async () => {
    refusal = new Error('no space left')
    add(2)
    await expect(writer.flush()).rejects.toThrow('the history could not be written')
    expect(writer.stats()).toEqual({ waiting: 0, storedAt: null, failure: 'no space left' })
    const before = attempts
    await clock.advance(999)
    expect(attempts).toBe(before)
    await clock.advance(1)
    expect(attempts).toBe(before + 1)
    // More rows do not make it try more often, and a flush tries once.
    add(600)
    await writer.makeRoom()
    expect(attempts).toBe(before + 1)
    await expect(writer.flush()).rejects.toThrow('the history could not be written')
    expect(attempts).toBe(before + 2)
    refusal = null
    await writer.flush()
    expect(stored).toEqual([
      [2, 0],
      [600, 0],
    ])
    expect(writer.stats()).toEqual({ waiting: 0, storedAt: start + 1_000, failure: null })
  })

  it('refuses more than fifty thousand rows that cannot be written', async () => {
    refusal = new Error('no space left')
    add(1)
    await expect(writer.flush()).rejects.toThrow('the history could not be written')
    add(50_000)
    await writer.makeRoom()
    add(1)
    await expect(writer.makeRoom()).rejects.toThrow('the history could not be written')
  })

  it('has on disk what was known before the first row that waits or is being written', async () => {
    const known = start + 200
    const hasAll = (): boolean[] => [known - 1, known].map((at) => writer.hasAll(at as Millis))
    expect(hasAll()).toEqual([true, true])
    add(1)
    expect(hasAll()).toEqual([true, false])
    const written = Promise.withResolvers<void>()
    disk = written.promise
    const flushed = writer.flush()
    await TURN()
    expect(writer.stats().waiting).toBe(0)
    expect(hasAll()).toEqual([true, false])
    written.resolve()
    await flushed
    expect(hasAll()).toEqual([true, true])
    refusal = new Error('no space left')
    add(1)
    await expect(writer.flush()).rejects.toThrow()
    expect(hasAll()).toEqual([true, false])
  })

  it('stores at its close what waits, and then no more', async () => {
    add(1)
    await writer.makeRoom()
    await writer.close()
    expect(stored).toEqual([[1, 0]])
    await clock.advance(10_000)
    expect(attempts).toBe(1)
  })

  it('drops quotes first, then trades, and reports one span of each when the disk writes again', async () => {
    const shed: number[] = []
    const lost: LostRows[] = []
    open({
      maxWaiting: 10,
      onShed: (trades) => shed.push(trades.length),
      onLost: (rows) => lost.push(...rows),
    })
    refusal = new Error('no space left')
    add(1)
    await expect(writer.flush()).rejects.toThrow()
    const addQuotes = async (count: number, from: number): Promise<void> => {
      for (let row = 0; row < count; row += 1) writer.pending.add(1, quoted(start + from + row))
      await writer.makeRoom()
    }
    await addQuotes(10, 0)
    expect(shed).toEqual([])
    await addQuotes(1, 10)
    expect([shed, writer.stats().waiting]).toEqual([[0], 0])
    add(10)
    await addQuotes(1, 50)
    expect([shed, writer.stats().waiting]).toEqual([[0, 0], 10])
    add(1)
    await addQuotes(0, 0)
    expect([shed, writer.stats().waiting]).toEqual([[0, 0, 11], 0])
    expect(lost).toEqual([])
    refusal = null
    await writer.flush()
    expect(lost).toEqual([
      { venue: 'venue_a', feed: 'quotes', from: start, to: start + 51 },
      { venue: 'venue_a', feed: 'trades', from: start, to: start + 1 },
    ])
    await writer.flush()
    expect(lost).toHaveLength(2)
    expect(stored).toEqual([[1, 0]])
  })
})
