import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEngine } from './engine.ts'
import { inspectWal } from './wal.ts'

/** Enough rows for the engine to write them to the file before the commit. */
const MANY = 130_000
/** Length of the entry that ends a transaction. */
const COMMIT_BYTES = 21

const HOLD_OPEN = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const connection = await (await DuckDBInstance.create(process.argv[1])).connect()
  await connection.run('create table held (n integer)')
  process.stdout.write('open')
  process.stdin.resume()`

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-wal-'))
  path = join(folder, 'written.duckdb')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes both tables in one transaction. */
async function insertBoth(writer: DuckDBConnection): Promise<void> {
  await writer.run('begin transaction')
  await writer.run(`insert into bulk select range, hash(range) from range(${MANY})`)
  await writer.run(`insert into summary values (${MANY})`)
  await writer.run('commit')
}

/** Rows of the bulk table, and the number that was written beside them. */
async function countsIn(file: string): Promise<unknown[]> {
  const engine = await openEngine({ path: file, threads: 1 })
  const counts = await engine.writer.runAndReadAll(
    'select (select count(*) from bulk)::double, (select coalesce(sum(n), 0) from summary)::double',
  )
  engine.close()
  return counts.getRows()[0] ?? []
}

describe('a log that ends within a transaction', () => {
  it('holds all of each transaction or none of it, wherever it ends', async () => {
    const engine = await openEngine({ path, threads: 1, checkpointsAutomatically: false })
    const log = `${path}.wal`
    await engine.writer.run('create table bulk (n bigint, h ubigint)')
    await engine.writer.run('create table summary (n bigint)')
    await insertBoth(engine.writer)
    const first = statSync(log).size
    await insertBoth(engine.writer)
    const second = statSync(log).size
    // As a process that is killed here leaves them.
    copyFileSync(path, join(folder, 'left.duckdb'))
    copyFileSync(log, join(folder, 'left.wal'))
    engine.close()

    const cut = join(folder, 'cut.duckdb')
    const step = Math.ceil((second - first) / 25)
    const ends = [
      first,
      first + 1,
      second - COMMIT_BYTES - 1,
      second - COMMIT_BYTES,
      second - 1,
      second,
    ]
    for (let end = first + step; end < second; end += step) ends.push(end)
    for (const end of ends) {
      copyFileSync(join(folder, 'left.duckdb'), cut)
      copyFileSync(join(folder, 'left.wal'), `${cut}.wal`)
      truncateSync(`${cut}.wal`, end)
      const whole = end === second ? 2 : 1
      expect(await countsIn(cut), `cut at ${end}`).toEqual([MANY * whole, MANY * whole])
    }
  })

  it('differs from one that is whole where it ends between two entries', async () => {
    const engine = await openEngine({ path, threads: 1, checkpointsAutomatically: false })
    await engine.writer.run('create table summary (n bigint)')
    const log = `${path}.wal`
    const { size } = statSync(log)
    expect(inspectWal(log)).toEqual({ state: 'whole', commitEnd: size })
    await engine.writer.run('insert into summary values (1)')
    const copy = join(folder, 'copy.wal')
    copyFileSync(log, copy)
    engine.close()
    truncateSync(copy, statSync(copy).size - COMMIT_BYTES)
    expect(inspectWal(copy)).toEqual({ state: 'cut off', commitEnd: size })
  })

  it('stays as it is while another process has the file open', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD_OPEN, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      appendFileSync(`${path}.wal`, 'an entry that is being written')
      const { size } = statSync(`${path}.wal`)
      await expect(openEngine({ path })).rejects.toThrow(`is already open in process ${child.pid}`)
      expect(statSync(`${path}.wal`).size).toBe(size)
    } finally {
      child.kill('SIGKILL')
    }
  })
})
