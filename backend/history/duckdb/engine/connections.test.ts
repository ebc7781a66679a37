import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readDoubles } from './columns.ts'
import { Session } from './connections.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-connections-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('counts rows that were added after the first run of the same statement', async () => {
  const path = join(folder, 'rows.duckdb')
  const first = await DuckDBInstance.create(path)
  const writer = await first.connect()
  await writer.run("create table row as select range as n, 'old' as kind from range(1000)")
  writer.closeSync()
  first.closeSync()
  // Of a table that was opened, the planner knows the number of rows and the range of each column.
  const instance = await DuckDBInstance.create(path)
  const session = new Session(await instance.connect())
  const adder = await instance.connect()
  const valueOf = async (sql: string, values = {}): Promise<number | undefined> => {
    const [chunk] = await session.read(sql, values)
    return chunk && readDoubles(chunk, 0)[0]
  }
  const values = async () => [
    await valueOf('select count(*)::double from row'),
    await valueOf("select count(*)::double from row where kind = 'new'"),
    await valueOf('select max(n)::double from row'),
    await valueOf("select count(*)::double from row where kind = 'new' and n >= $from", {
      from: 0,
    }),
  ]
  expect(await values()).toEqual([1_000, 0, 999, 0])
  await adder.run("insert into row select 5000 + range, 'new' from range(500)")
  expect(await values()).toEqual([1_500, 500, 5_499, 500])
  session.close()
  adder.closeSync()
  instance.closeSync()
})
