import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timesOpen } from '../../../testing/open-files.ts'
import { openEngine, type Engine } from './engine.ts'

describe('the locked engine', () => {
  const folder = mkdtempSync(join(tmpdir(), "augury-'engine-"))
  let engine: Engine
  beforeAll(async () => {
    engine = await openEngine({ path: join(folder, 'history.duckdb') })
  })
  afterAll(() => {
    engine.close()
    rmSync(folder, { recursive: true })
  })

  it.skipIf(process.platform !== 'linux')('releases its file when it is closed', async () => {
    const path = join(folder, 'closed.duckdb')
    const closed = await openEngine({ path })
    await Promise.all(closed.readers.map((reader) => reader.run('select 1')))
    expect(timesOpen(path)).toBe(1)
    closed.close()
    expect(timesOpen(path)).toBe(0)
  })

  it.each([
    "select * from read_text('/etc/passwd')",
    "select * from read_csv('/etc/passwd')",
    "select * from glob('/etc/*')",
    "attach '/tmp/other.duckdb'",
    "copy (select 1) to '/tmp/augury-out.csv'",
    "select * from read_parquet('https://example.invalid/x.parquet')",
    'set enable_external_access = true',
    "set allowed_directories = ['/']",
    'set lock_configuration = false',
    'reset memory_limit',
    'install httpfs',
    'load httpfs',
  ])('refuses %s', async (sql) => {
    for (const connection of [engine.writer, ...engine.readers]) {
      await expect(connection.run(sql)).rejects.toThrow()
    }
  })

  it('reads a file with the same name and size as an earlier one', async () => {
    const file = join(folder, 'again.parquet')
    const read = await engine.readers[0]?.prepare('select max(n) from read_parquet($path)')
    const found: unknown[] = []
    for (const n of [7, 8]) {
      await engine.writer.run(`copy (select ${n} as n) to '${file.replaceAll("'", "''")}'`)
      read?.bindVarchar(1, file)
      found.push((await read?.runAndReadAll())?.getRows()[0]?.[0])
      rmSync(file)
    }
    read?.destroySync()
    expect(found).toEqual([7, 8])
  })

  it('reads and writes Parquet inside its own folder', async () => {
    const file = join(folder, 'inside.parquet').replaceAll("'", "''")
    await engine.writer.run(`copy (select 7 as n) to '${file}'`)
    const read = await engine.writer.runAndReadAll(`select n from '${file}'`)
    expect(read.getRows()).toEqual([[7]])
  })
})
