import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NewerVersionError } from '../lib/errors.ts'
import { lastGenerationOf, writeGeneration } from './last-generation.ts'
import { STATE_MIGRATIONS } from './open.ts'
import { copyState, examineState, refuseNewerState } from './state-file.ts'
import type { Millis } from '../domain/units.ts'

let folder: string
let path: string
/** A file with these migrations. */
const create = (names: readonly string[]): void => {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal')
  database.exec('create table kysely_migration (name); create table item (text)')
  for (const name of names) database.prepare('insert into kysely_migration values (?)').run(name)
  database.close()
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-state-file-'))
  path = join(folder, 'rows.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('is reported by its newest migration, without files beside it', () => {
  expect(examineState(path)).toBeNull()
  create(STATE_MIGRATIONS.slice(0, 3))
  expect(examineState(path)).toEqual({
    schema: STATE_MIGRATIONS[2],
    isNewer: false,
    problem: null,
  })
  expect(readdirSync(folder)).toEqual(['rows.sqlite'])
  refuseNewerState(path)
})

it('is reported with what its log holds', () => {
  create(STATE_MIGRATIONS.slice(0, 1))
  const writer = new DatabaseSync(path)
  writer.prepare('insert into kysely_migration values (?)').run(STATE_MIGRATIONS[1] as string)
  expect(examineState(path)?.schema).toBe(STATE_MIGRATIONS[1])
  writer.close()
})

it('has no schema without migrations', () => {
  create([])
  expect(examineState(path)).toEqual({ schema: null, isNewer: false, problem: null })
})

it('is refused when a newer version wrote it', () => {
  create([STATE_MIGRATIONS[0] as string, '9999_later'])
  expect(examineState(path)).toMatchObject({ schema: '9999_later', isNewer: true })
  expect(() => refuseNewerState(path)).toThrow(NewerVersionError)
})

it('is a fault when it is no database', () => {
  writeFileSync(path, 'x'.repeat(9_000))
  expect(examineState(path)).toEqual({
    schema: null,
    isNewer: false,
    problem: expect.stringMatching(/not a database/) as string,
  })
  refuseNewerState(path)
})

it('is copied with what its log holds, while another connection writes', async () => {
  create(STATE_MIGRATIONS.slice(0, 2))
  const writer = new DatabaseSync(path)
  writer.exec("insert into item values ('a')")
  const copy = join(folder, 'copy.sqlite')
  expect(await copyState(path, copy)).toEqual({ schema: STATE_MIGRATIONS[1] })
  writer.close()
  const copied = new DatabaseSync(copy)
  expect(copied.prepare('select text from item').all()).toEqual([{ text: 'a' }])
  // A copy can be written.
  copied.exec("insert into item values ('b')")
  copied.close()
})

it('has the newest checkpoint noted beside it', () => {
  expect(lastGenerationOf(path)).toBeNull()
  const last = { generation: 4, at: 1_000 as Millis }
  writeGeneration(path, last)
  expect(lastGenerationOf(path)).toEqual(last)
  for (const text of ['{', '{"generation":4}', '{"at":4}', '{"generation":1.5,"at":1}']) {
    writeFileSync(join(folder, 'run', 'state-generation.json'), text)
    expect(lastGenerationOf(path)).toBeNull()
  }
})
