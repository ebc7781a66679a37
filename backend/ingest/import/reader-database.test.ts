import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReaderDatabase, type ReaderDatabase } from './reader-database.ts'

let folder: string
let database: ReaderDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-reader-'))
  database = await openReaderDatabase({ memoryLimitMb: 100, tempDir: folder })
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

describe('the engine for import files', () => {
  it('reads a file with the same name and size as an earlier one', async () => {
    const { connection, staging } = database
    const file = join(folder, 'staged.parquet')
    const read = await connection.prepare('select max(n) from read_parquet($path)')
    const found: unknown[] = []
    for (const n of [7, 8]) {
      await staging.run(`copy (select ${n} as n) to '${file}' (format parquet)`)
      read.bindVarchar(1, file)
      found.push((await read.runAndReadAll()).getRows()[0]?.[0])
      rmSync(file)
    }
    read.destroySync()
    expect(found).toEqual([7, 8])
  })
})
