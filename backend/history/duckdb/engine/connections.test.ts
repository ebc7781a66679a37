import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { StoreFailed } from '../../../lib/errors.ts'
import { readDoubles } from './columns.ts'
import { ReadPool, Session } from './connections.ts'
import { openEngine } from './engine.ts'

const ROWS = 10_000

it('streams chunk by chunk, and releases each chunk after its callback', async () => {
  const engine = await openEngine({ path: ':memory:' })
  const views: Float64Array[] = []
  let [rows, sum] = [0, 0]
  await new Session(engine.runs).readStream(
    'select range::double from range($rows)',
    { rows: ROWS },
    (chunk) => {
      const values = readDoubles(chunk, 0)
      rows += chunk.rowCount
      for (const value of values.subarray(0, chunk.rowCount)) sum += value
      expect(values.length).toBeGreaterThanOrEqual(chunk.rowCount)
      views.push(values)
      return undefined
    },
  )
  expect([rows, sum]).toEqual([ROWS, (ROWS * (ROWS - 1)) / 2])
  expect(views.length).toBeGreaterThan(1)
  expect(views.map(({ length }) => length)).toEqual(views.map(() => 0))
  engine.close()
})

it('cancels running queries of an interrupted pool, and refuses later ones', async () => {
  const engine = await openEngine({ path: ':memory:' })
  const pool = new ReadPool([engine.copier])
  const endless = 'select count(*)::double from range(1000000) a, range(1000000) b'
  const running = pool.with(async (session) => {
    // A long job continues with its next query after one that failed.
    await session.read(endless).catch(() => {})
    return session.read(endless)
  })
  const waiting = pool.with((session) => session.read('select 1'))
  const ended = Promise.allSettled([running, waiting])
  await setTimeout(200)
  pool.interrupt()
  expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await expect(pool.with((session) => session.read('select 1'))).rejects.toThrow(StoreFailed)
  await pool.close()
  engine.close()
})
