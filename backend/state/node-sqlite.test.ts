import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreFailed } from '../lib/errors.ts'
import { kyselyDatabase } from './node-sqlite.ts'

let database: DatabaseSync
let commits: number
let adapter: ReturnType<typeof kyselyDatabase>
const run = (sql: string, ...parameters: unknown[]) => adapter.prepare(sql).run(parameters)
const all = (sql: string, ...parameters: unknown[]) => adapter.prepare(sql).all(parameters)
/** A database whose disk or statements fail, which a test cannot cause for most codes. */
const failing = (errcode: number | undefined) =>
  kyselyDatabase({
    prepare: () => {
      throw Object.assign(new Error('no store'), errcode === undefined ? {} : { errcode })
    },
  } as unknown as DatabaseSync)

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  commits = 0
  adapter = kyselyDatabase(database, () => commits++)
  run('create table item (id integer primary key, text not null)')
  commits = 0
})
afterEach(() => {
  if (database.isOpen) database.close()
})

it('returns rows, changes and ids as Kysely reads them', () => {
  expect(run('insert into item (text) values (?)', 'a')).toEqual({
    changes: 1,
    lastInsertRowid: 1n,
  })
  expect(all('insert into item (text) values (?) returning id', 'b')).toEqual([{ id: 2 }])
  expect(all('select text from item order by id')).toEqual([{ text: 'a' }, { text: 'b' }])
  expect([...adapter.prepare('select id from item').iterate([])]).toEqual([{ id: 1 }, { id: 2 }])
  expect(adapter.prepare('select 1').reader).toBe(true)
  expect(adapter.prepare('delete from item').reader).toBe(false)
})

describe('a commit', () => {
  it('is each write outside a transaction', () => {
    run("insert into item (text) values ('a')")
    expect(commits).toBe(1)
    all("insert into item (text) values ('b') returning id")
    expect(commits).toBe(2)
    all('select 1')
    expect(commits).toBe(2)
  })

  it('is the end of a transaction', () => {
    run('begin')
    run("insert into item (text) values ('a')")
    all("insert into item (text) values ('b') returning id")
    expect(commits).toBe(0)
    run('commit')
    expect(commits).toBe(1)
  })

  it('is not hidden by a rollback of a transaction that has ended', () => {
    expect(run('rollback')).toEqual({ changes: 0, lastInsertRowid: 0n })
    run('begin')
    run("insert into item (text) values ('a')")
    run('rollback')
    expect(all('select * from item')).toEqual([])
  })
})

it('reports a failure of the file as one of the store, and that of a statement as it is', () => {
  expect(() => run('insert into item (text) values (null)')).toThrow(/NOT NULL/)
  expect(() => run('no statement')).toThrow(/syntax error/)
  const folder = mkdtempSync(join(tmpdir(), 'augury-node-sqlite-'))
  try {
    const path = join(folder, 'rows.sqlite')
    writeFileSync(path, 'x'.repeat(9_000))
    const damaged = new DatabaseSync(path)
    expect(() => kyselyDatabase(damaged).prepare('select * from item')).toThrow(StoreFailed)
    damaged.close()
    rmSync(path)
    const holder = new DatabaseSync(path)
    holder.exec('create table item (id); begin exclusive')
    const waiting = new DatabaseSync(path, { timeout: 0 })
    expect(() => kyselyDatabase(waiting).prepare('insert into item values (1)').run([])).toThrow(
      StoreFailed,
    )
    waiting.close()
    holder.close()
    const reader = new DatabaseSync(path, { readOnly: true })
    expect(() => kyselyDatabase(reader).prepare('insert into item values (1)').run([])).toThrow(
      StoreFailed,
    )
    reader.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it.each([5, 6, 7, 8, 10, 11, 13, 14, 26, 266, 1_546])('error %d is one of the store', (errcode) => {
  expect(() => failing(errcode).prepare('select 1')).toThrow(StoreFailed)
})

it.each([0, 1, 19, 2_067, undefined])('error %s is one of the statement', (errcode) => {
  expect(() => failing(errcode).prepare('select 1')).toThrow('no store')
})

it('parses a text once, and a change of the schema each time', () => {
  const prepare = vi.spyOn(database, 'prepare')
  for (const sql of ['select id from item', 'create table if not exists item (id)']) {
    prepare.mockClear()
    for (const _time of [1, 2]) adapter.prepare(sql)
    expect(prepare).toHaveBeenCalledTimes(sql.startsWith('select') ? 1 : 2)
  }
})

it('closes its database', () => {
  adapter.close()
  expect(database.isOpen).toBe(false)
})
