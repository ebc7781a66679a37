import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidInput } from '../../lib/errors.ts'
import { expandPaths } from './import-paths.ts'

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-paths-'))
  dataDir = mkdtempSync(join(tmpdir(), 'augury-paths-data-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

describe('paths of an import', () => {
  it('expand folders to the files below them by name, without hidden ones and links', async () => {
    mkdirSync(join(folder, 'b', 'deep'), { recursive: true })
    mkdirSync(join(folder, '.cache', 'deep'), { recursive: true })
    const hidden = ['.hidden', '.cache/c.csv', '.cache/deep/d.csv']
    for (const name of ['z.csv', 'a.csv', 'b/deep/m.csv', ...hidden]) {
      writeFileSync(join(folder, name), '')
    }
    symlinkSync('/etc/passwd', join(folder, 'link.csv'))
    const below = ['a.csv', 'b/deep/m.csv', 'z.csv'].map((name) => join(folder, name))
    expect(await expandPaths([folder], dataDir)).toEqual(below)
    expect(await expandPaths([join(folder, 'z.csv'), folder], dataDir)).toEqual([
      join(folder, 'z.csv'),
      ...below.slice(0, 2),
    ])
  })

  it.each([
    ['rows.csv', 'paths must be absolute, was "rows.csv"'],
    ['/no/where', 'path not found: /no/where'],
    ['/dev/null', 'path is neither a file nor a folder: /dev/null'],
    ['/tmp/a\u0000b', 'path not found'],
  ])('are refused: %s', (path, message) =>
    expect(expandPaths([path], dataDir)).rejects.toThrow(message),
  )

  it('are refused if they hold more files than the limit', async () => {
    for (let index = 0; index <= 10_001; index += 1) writeFileSync(join(folder, `${index}.csv`), '')
    await expect(expandPaths([folder], dataDir)).rejects.toThrow(
      'paths must contain at most 10000 files',
    )
    // The root folder, named by mistake, is refused before it is read completely.
    await expect(expandPaths(['/'], dataDir)).rejects.toThrow(InvalidInput)
  })

  it('are refused if they are in the data folder, except its exports', async () => {
    const own = ['secrets/session.key', 'run/launch.json', 'state.sqlite', 'exports/trades.csv']
    for (const name of own) {
      mkdirSync(join(dataDir, name, '..'), { recursive: true })
      writeFileSync(join(dataDir, name), 'text')
    }
    symlinkSync(join(dataDir, 'secrets', 'session.key'), join(folder, 'rows.csv'))
    symlinkSync(join(dataDir, 'run'), join(folder, 'rows'))
    symlinkSync(dataDir, join(folder, 'all'))
    const refused = [
      join(dataDir, 'state.sqlite'),
      join(dataDir, 'exports', '..', 'secrets'),
      ...['rows.csv', 'rows', 'rows/launch.json', 'all'].map((name) => join(folder, name)),
    ]
    for (const path of refused) {
      await expect(expandPaths([path], dataDir), path).rejects.toThrow('paths must not point to')
    }
    const exported = join(folder, 'all', 'exports', 'trades.csv')
    expect(await expandPaths([exported], dataDir)).toEqual([exported])
  })
})
