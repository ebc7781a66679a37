import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { CommitLog, commitLogOf, readCommits } from './commit-log.ts'
import { inspectStateWal } from './sqlite-wal.ts'

let folder: string
let path: string
let database: DatabaseSync
let log: CommitLog
let now: number
let failures: unknown[]
const open = (): CommitLog =>
  new CommitLog(path, {
    now: () => now as Millis,
    onFailure: (error) => failures.push(error),
  })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-commits-'))
  path = join(folder, 'rows.sqlite')
  now = 1_000
  failures = []
  database = new DatabaseSync(path)
  database.exec('pragma user_version = 3; pragma journal_mode = wal')
  database.exec('pragma wal_autocheckpoint = 0; create table item (text)')
  database.exec('pragma wal_checkpoint(truncate)')
  log = open()
})
afterEach(() => {
  database.close()
  log.close()
  rmSync(folder, { recursive: true, force: true })
})

const first = { generation: 3, salt: '', frames: 0, at: 1_000 }

it('begins with the generation of the file', () => {
  expect(readCommits(path)).toEqual([first])
  log.append()
  expect(readCommits(path)).toEqual([first])
})

it('records where each commit ends in the write-ahead log', () => {
  for (const at of [2_000, 3_000]) {
    now = at
    database.exec("insert into item values ('a')")
    log.append()
    // Nothing was committed since.
    log.append()
    const { salt, committed } = inspectStateWal(`${path}-wal`)
    expect(readCommits(path).at(-1)).toEqual({ generation: 3, salt, frames: committed, at })
  }
  expect(readCommits(path)).toHaveLength(3)
})

it('keeps the records of a file that is opened again', () => {
  database.exec("insert into item values ('a')")
  log.append()
  const records = readCommits(path)
  log.close()
  log = open()
  expect(readCommits(path)).toEqual(records)
  expect(records).toHaveLength(2)
})

it('starts over after a checkpoint', () => {
  database.exec("insert into item values ('a')")
  log.append()
  database.exec('pragma wal_checkpoint(truncate)')
  now = 5_000
  log.begin(4)
  expect(readCommits(path)).toEqual([{ ...first, generation: 4, at: 5_000 }])
  database.exec("insert into item values ('b')")
  log.append()
  expect(readCommits(path).at(-1)).toMatchObject({ generation: 4, frames: 1 })
})

it('skips damaged records', () => {
  database.exec("insert into item values ('a')")
  log.append()
  appendFileSync(commitLogOf(path), readFileSync(commitLogOf(path), 'utf8').slice(0, 20))
  expect(readCommits(path)).toHaveLength(2)
  expect(readCommits(join(folder, 'none'))).toEqual([])
})

it('reports a record that cannot be written', () => {
  const missing = new CommitLog(join(folder, 'absent.sqlite'), {
    now: () => now as Millis,
    onFailure: (error) => failures.push(error),
  })
  missing.append()
  missing.close()
  expect(failures).toHaveLength(1)
  expect(readCommits(join(folder, 'absent.sqlite'))).toEqual([{ ...first, generation: 0 }])
})
