import { beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { createBus } from './bus.ts'
import { JobQueue, timesOf, type JobRecord, type JobWork, type UnfinishedJob } from './job-queue.ts'
import { silentLogger } from './logger.ts'
import { PerUserQueue } from './per-user-queue.ts'

interface Record extends JobRecord {
  readonly rows: number
}

describe('a queue of jobs', () => {
  let clock: FakeClock
  let start: Millis
  let stored: Map<string, Record>
  /** Each state that was stored, as "id state". */
  let states: string[]
  let isStoreBroken: boolean
  beforeEach(() => {
    clock = new FakeClock()
    start = clock.now()
    stored = new Map()
    states = []
    isStoreBroken = false
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const recordOf = (id: string, state: Record['state'] = 'queued'): Record => ({
    id,
    state,
    startedAt: null,
    endedAt: null,
    rows: 0,
  })
  const open = (
    tidy: () => Promise<readonly UnfinishedJob<Record>[] | void> = () => Promise.resolve(),
  ) =>
    new JobQueue<Record>({
      store: {
        find: (id) => Promise.resolve(stored.get(id) ?? null),
        add: (record) => save(record),
        save: (record) => save(record),
      },
      name: 'Import',
      tidy,
      clock,
      logger: silentLogger,
    })
  const save = (record: Record): Promise<void> => {
    if (isStoreBroken) return Promise.reject(new Error('no space left'))
    stored.set(record.id, record)
    states.push(`${record.id} ${record.state}`)
    return Promise.resolve()
  }
  /** Work that ends on request. */
  const manual = () => {
    const end = Promise.withResolvers<Partial<Record> & { readonly state: Record['state'] }>()
    const work: JobWork<Record> = {
      run: ({ signal, update }) => {
        update({ rows: 1 })
        signal.addEventListener('abort', () => end.reject(new Error('stopped')))
        return end.promise
      },
      failed: (_error, { record }) => ({ rows: record.rows + 100 }),
    }
    return { work, end }
  }

  it('runs them one at a time, in the order of their requests', async () => {
    const queue = open()
    const [first, second] = [manual(), manual()]
    expect(await queue.add(recordOf('a'), first.work)).toEqual({ id: 'a' })
    await queue.add(recordOf('b'), second.work)
    await turn()
    expect(states).toEqual(['a queued', 'b queued', 'a running'])
    expect(await queue.recordOf('a')).toEqual({
      id: 'a',
      state: 'running',
      startedAt: start,
      endedAt: null,
      rows: 1,
    })
    // Progress is stored when the job ends.
    expect(stored.get('a')?.rows).toBe(0)
    await clock.advance(500)
    first.end.resolve({ state: 'done', rows: 7 })
    await turn()
    expect(stored.get('a')).toEqual({
      id: 'a',
      state: 'done',
      startedAt: start,
      endedAt: start + 500,
      rows: 7,
    })
    expect(states.slice(3)).toEqual(['a done', 'b running'])
    expect(queue.isBusy).toBe(true)
    second.end.resolve({ state: 'done' })
    await turn()
    expect(queue.isBusy).toBe(false)
    expect(await queue.recordOf('b')).toMatchObject({ state: 'done', rows: 1 })
  })

  it('stores the failure of a job and runs the next one', async () => {
    const queue = open()
    const [first, second] = [manual(), manual()]
    await queue.add(recordOf('a'), first.work)
    await queue.add(recordOf('b'), second.work)
    await clock.advance(10)
    first.end.reject(new Error('a fault'))
    await turn()
    expect(stored.get('a')).toMatchObject({ state: 'failed', endedAt: start + 10, rows: 101 })
    expect(stored.get('b')?.state).toBe('running')
    await queue.close()
    expect(stored.get('b')).toMatchObject({ state: 'cancelled', rows: 101 })
  })

  it('cancels what waits and what runs, and nothing that has ended', async () => {
    const queue = open()
    const [first, second] = [manual(), manual()]
    await queue.add(recordOf('a'), first.work)
    await queue.add(recordOf('b'), second.work)
    await turn()
    expect(await queue.cancel('b')).toEqual({ ok: true })
    expect(await queue.cancel('a')).toEqual({ ok: true })
    await turn()
    await turn()
    expect(states).toEqual(['a queued', 'b queued', 'a running', 'a cancelled', 'b cancelled'])
    expect(stored.get('b')).toMatchObject({ startedAt: null, endedAt: start, rows: 0 })
    await expect(queue.cancel('a')).rejects.toThrow('Import is cancelled')
    await expect(queue.cancel('c')).rejects.toThrow('Import not found')
    await expect(queue.recordOf('c')).rejects.toThrow('Import not found')
  })

  it('keeps no job that could not be stored', async () => {
    const queue = open()
    isStoreBroken = true
    await expect(queue.add(recordOf('a'), manual().work)).rejects.toThrow('no space left')
    expect(queue.isBusy).toBe(false)
  })

  it('ends a job whose end cannot be stored', async () => {
    const queue = open()
    const { work, end } = manual()
    await queue.add(recordOf('a'), work)
    await turn()
    isStoreBroken = true
    end.resolve({ state: 'done' })
    await turn()
    expect(queue.isBusy).toBe(false)
    isStoreBroken = false
    expect(await queue.recordOf('a')).toMatchObject({ state: 'running' })
  })

  it('runs what an earlier process left first, in order', async () => {
    const [first, second, later] = [manual(), manual(), manual()]
    const queue = open(() =>
      Promise.resolve([
        { record: recordOf('old 1', 'running'), work: first.work },
        { record: recordOf('old 2'), work: second.work },
      ]),
    )
    await queue.add(recordOf('new'), later.work)
    await turn()
    expect(states).toEqual(['new queued', 'old 1 running'])
    first.end.resolve({ state: 'done' })
    second.end.resolve({ state: 'done' })
    await turn()
    await turn()
    expect(states.slice(2)).toEqual(['old 1 done', 'old 2 running', 'old 2 done', 'new running'])
    await queue.close()
  })

  it('runs new jobs although those of the last run could not be closed', async () => {
    const queue = open(() => Promise.reject(new Error('no space left')))
    const { work, end } = manual()
    await queue.add(recordOf('a'), work)
    end.resolve({ state: 'done' })
    await turn()
    expect(stored.get('a')?.state).toBe('done')
  })

  it('cancels a job that is added after its close', async () => {
    const queue = open()
    await queue.close()
    await queue.add(recordOf('late'), manual().work)
    await turn()
    expect(states).toEqual(['late queued', 'late cancelled'])
  })

  it('cancels at its close what an earlier process left', async () => {
    const tidied = Promise.withResolvers<readonly UnfinishedJob<Record>[]>()
    const queue = open(() => tidied.promise)
    const closed = queue.close()
    tidied.resolve([{ record: recordOf('old', 'running'), work: manual().work }])
    await closed
    expect(states).toEqual(['old cancelled'])
  })

  it('has its times as text, where they are known', () => {
    expect(timesOf(recordOf('a'))).toEqual({ startedAt: null, endedAt: null })
    const at = Date.parse('2026-11-20T14:00:00Z') as Millis
    expect(timesOf({ ...recordOf('a'), startedAt: at, endedAt: (at + 1) as Millis })).toEqual({
      startedAt: '2026-11-20T14:00:00.000Z',
      endedAt: '2026-11-20T14:00:00.001Z',
    })
  })
})

describe('the writes of users', () => {
  it('run in sequence for each user, also after one that failed', async () => {
    const queue = new PerUserQueue()
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const one = queue.run('ann', async () => {
      order.push('ann 1')
      await first.promise
      throw new Error('refused')
    })
    const two = queue.run('ann', () => Promise.resolve(order.push('ann 2')))
    await queue.run('bob', () => Promise.resolve(order.push('bob')))
    expect(order).toEqual(['ann 1', 'bob'])
    expect(queue.isIdle).toBe(false)
    let isIdle = false
    const idle = queue.idle().then(() => (isIdle = true))
    await Promise.resolve()
    expect(isIdle).toBe(false)
    first.resolve()
    await expect(one).rejects.toThrow('refused')
    expect(await two).toBe(3)
    await idle
    expect(queue.isIdle).toBe(true)
    await queue.idle()
  })
})

describe('topics inside one process', () => {
  it('reach their listeners until these leave, whatever another one throws', () => {
    const failures: unknown[] = []
    const bus = createBus<{ news: number; other: number }>((error, topic) =>
      failures.push([(error as Error).message, topic]),
    )
    bus.publish('news', 0)
    const received: number[] = []
    bus.subscribe('news', () => {
      throw new Error('a fault')
    })
    const leave = bus.subscribe('news', (message) => received.push(message))
    bus.publish('news', 1)
    bus.publish('other', 2)
    leave()
    bus.publish('news', 3)
    expect(received).toEqual([1])
    expect(failures).toEqual([
      ['a fault', 'news'],
      ['a fault', 'news'],
    ])
  })
})
