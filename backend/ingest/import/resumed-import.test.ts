import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileReport } from '../../domain/import-report.ts'
import { openImportFolder, type ImportFolder } from '../../testing/import-folder.ts'
import { createImportHost } from './import-host.ts'
import { createImporter, type Importer } from './importer.ts'

const HEADER = 'venue,ticker,ts_ms,known_at_ms,origin,trade_id,price_e4,size_e6,taker_side,is_block'
const FIRST_TS = 1_763_640_000_000

let folder: ImportFolder
let importer: Importer
beforeEach(async () => {
  folder = await openImportFolder()
  importer = createImporter({ host: createImportHost(folder.history), dataDir: folder.path })
})
afterEach(() => folder.close())

const trades = (name: string, ids: readonly string[]): string =>
  [
    HEADER,
    ...ids.map((id, n) => {
      const ts = FIRST_TS + n
      return `venue_a,${name},${ts},${ts},imported,${id},5000,1000000,yes,false`
    }),
    '',
  ].join('\n')

const attempt = (paths: readonly string[], id: string, isResumed: boolean): Promise<FileReport[]> =>
  importer.importFiles(
    { paths, venue: null, kind: null, dryRun: false },
    new AbortController().signal,
    undefined,
    { id, isResumed },
  )

const countsOf = ({ rowsTaken, rowsTakenBefore, rowsKnown, error }: FileReport) => ({
  rowsTaken,
  rowsTakenBefore,
  rowsKnown,
  error,
})

describe('an import that is resumed', () => {
  it('reports earlier imported rows as imported, each once', async () => {
    const a = folder.file('a.csv', trades('A', ['1', '2', '3']))
    const b = folder.file('b.csv', trades('B', ['1', '2']))
    await attempt([a], 'imp_1', false)
    // The same file in another import adds nothing.
    const [again] = await attempt([a], 'imp_2', false)
    expect(again && countsOf(again)).toMatchObject({ rowsTaken: 0, rowsKnown: 3 })
    await attempt([a], 'imp_1', false)

    const later = folder.file('c.csv', trades('C', ['1']))
    await attempt([later], 'imp_3', false)
    const resumed = await attempt([later, b], 'imp_3', true)
    expect(resumed.map(countsOf)).toEqual([
      { rowsTaken: 1, rowsTakenBefore: 1, rowsKnown: 0, error: null },
      { rowsTaken: 2, rowsTakenBefore: undefined, rowsKnown: 0, error: null },
    ])
    expect((await folder.history.size()).trades).toBe(6)
  })

  it('counts two equal files as in the first attempt', async () => {
    const paths = ['one.csv', 'two.csv'].map((name) => folder.file(name, trades('A', ['1', '2'])))
    const first = await attempt(paths, 'imp_1', false)
    expect(first.map(({ rowsTaken, rowsKnown }) => [rowsTaken, rowsKnown])).toEqual([
      [2, 0],
      [0, 2],
    ])
    const resumed = await attempt(paths, 'imp_1', true)
    expect(resumed.map(({ rowsTaken, rowsKnown }) => [rowsTaken, rowsKnown])).toEqual([
      [2, 0],
      [0, 2],
    ])
  })

  it('reports a file that is gone, with the rows imported from it', async () => {
    const a = folder.file('a.csv', trades('A', ['1', '2', '3']))
    await attempt([a], 'imp_1', false)
    rmSync(a)
    const [report] = await attempt([a], 'imp_1', true)
    expect(report && countsOf(report)).toEqual({
      rowsTaken: 3,
      rowsTakenBefore: 3,
      rowsKnown: 0,
      error:
        'the file was removed after the service was interrupted: 3 rows had been imported, the rest is missing',
    })
  })

  it('reports a file with other rows than before', async () => {
    const a = folder.file('a.csv', trades('A', ['1', '2', '3']))
    await attempt([a], 'imp_1', false)
    writeFileSync(a, trades('A', ['1', '4']))
    const [report] = await attempt([a], 'imp_1', true)
    expect(report?.rowsTaken).toBe(4)
    expect(report?.error).toMatch(/^the file changed after the service was interrupted: 3 rows/)
    expect((await folder.history.size()).trades).toBe(4)
  })
})
