import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { openStatementHistory, type StatementHistory } from '../../testing/statement-history.ts'
import { writeViewRows } from '../duckdb/queries/query.ts'
import type { QueryOutcome } from '../history-queries.ts'
import { wholeScans } from './scan-plan.ts'
import { STATEMENT_LIMITS, StatementHost } from './statement-host.ts'
import { StatementWorker } from './statement-worker.ts'

let folder = ''
let opened: StatementHistory
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-limits-'))
  opened = await openStatementHistory(folder)
})
afterAll(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

const MB = 1024 * 1024
const ask = (sql: string, signal = new AbortController().signal): Promise<QueryOutcome> =>
  opened.history.query(sql, { maxRows: 1_000, maxLength: 1_000_000, signal })

const NESTED = Array.from({ length: 6 }).reduce<string>(
  (inner) => `replace(${inner}, 'a', 'aaaaaaaaaa')`,
  `'aaaaaaaa' || x`,
)
const DOUBLING = `select length(list_reduce(list_transform(range(34), x -> 'abcdefgh'), (a, b) -> a || a))`
const SLOW = `select levenshtein(repeat('ab', 60000), repeat('ba', 60000))`

/** Peak increase of this process's resident memory while `work` runs. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss()
  let max = before
  const look = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 10)
  await work().finally(() => clearInterval(look))
  return (max - before) / MB
}

describe('an expensive statement', () => {
  // [sql.answer.bounds]
  it.each([
    ['nested replace', `select max(length(${NESTED})) from range(2000) r(x)`],
    ['doubling list_reduce', DOUBLING],
    ['a long list', 'select range(1000000000)'],
    ['a long text', `select length(repeat('x', 2000000000) || x) from range(8) r(x)`],
  ])('ends at the limit of memory and does not affect this process: %s', async (_name, sql) => {
    const growth = await growthDuring(async () => {
      const greedy = ask(sql)
      expect(await ask('select count(*) from trades')).toMatchObject({ kind: 'answered' })
      expect(await greedy).toEqual({ kind: 'too-large', limit: 'memory', limitMb: 512 })
    })
    expect(growth).toBeLessThan(200)
    expect(await ask('select 1')).toMatchObject({ kind: 'answered' })
  })

  // [sql.answer.bounds]
  it('does not block others with one call of a function, and is cancelled by its signal', async () => {
    const stop = new AbortController()
    const slow = ask(SLOW, stop.signal)
    for (let n = 0; n < 5; n++) {
      expect(await ask('select max(price) from trades')).toMatchObject({ kind: 'answered' })
    }
    const stopped = systemClock.monotonic()
    stop.abort()
    expect(await slow).toEqual({ kind: 'stopped' })
    expect(systemClock.monotonic() - stopped).toBeLessThan(2_000)
  })

  // [sql.answer.bounds]
  it('is cancelled while its process starts, which then runs the next one', async () => {
    const workers: StatementWorker[] = []
    const host = new StatementHost(join(folder, 'cancelled'), () => {
      const worker = new StatementWorker()
      workers.push(worker)
      return worker
    })
    const run = (signal: AbortSignal): Promise<QueryOutcome> =>
      host.run('select 1', { maxRows: 1, maxLength: 100, signal }, () => Promise.resolve([]))
    const stop = new AbortController()
    const cancelled = run(stop.signal)
    stop.abort()
    expect(await cancelled).toEqual({ kind: 'stopped' })
    expect(await run(new AbortController().signal)).toMatchObject({ kind: 'answered' })
    expect(workers).toHaveLength(1)
    await host.close()
    expect(workers[0]?.isAlive).toBe(false)
  })

  // [sql.answer.bounds]
  it('reads at most the allowed number of rows', async () => {
    const path = join(folder, 'tmp')
    const { signal } = new AbortController()
    const scans = wholeScans(['trades', 'quotes'])
    const within = { path, limits: STATEMENT_LIMITS, signal }
    expect(await writeViewRows(opened.session, scans, within)).toHaveLength(2)
    const limits = { ...STATEMENT_LIMITS, diskMb: 0.05 }
    expect(await writeViewRows(opened.session, scans, { path, limits, signal })).toBeNull()
  })

  // [sql.answer.bounds]
  it('leaves no file behind, also when the history is closed meanwhile', async () => {
    const files = (): string[] => readdirSync(join(folder, 'tmp', 'statements'))
    await ask('select * from trades')
    expect(files()).toEqual([])
    const slow = ask(`${SLOW}, (select count(*) from trades)`)
    await ask('select 1')
    const closing = systemClock.monotonic()
    opened.history.interrupt()
    expect(await slow).toEqual({ kind: 'stopped' })
    expect(systemClock.monotonic() - closing).toBeLessThan(2_000)
    expect(files()).toEqual([])
    expect(await ask('select 1')).toEqual({ kind: 'stopped' })
  })
})
