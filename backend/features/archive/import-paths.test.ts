import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidInput } from '../../lib/errors.ts'
import { expandPaths } from './import-paths.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-paths-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('paths of an import', () => {
  it('stand for the files below them by name, hidden ones and links left out', async () => {
    mkdirSync(join(folder, 'b', 'deep'), { recursive: true })
    for (const name of ['z.csv', 'a.csv', '.hidden', 'b/deep/m.csv']) {
      writeFileSync(join(folder, name), '')
    }
    symlinkSync('/etc/passwd', join(folder, 'link.csv'))
    const below = ['a.csv', 'b/deep/m.csv', 'z.csv'].map((name) => join(folder, name))
    expect(await expandPaths([folder])).toEqual(below)
    expect(await expandPaths([join(folder, 'z.csv'), folder])).toEqual([
      join(folder, 'z.csv'),
      ...below.slice(0, 2),
    ])
  })

  it.each([
    ['rows.csv', 'paths must be absolute, was "rows.csv"'],
    ['/no/where', 'path not found: /no/where'],
    ['/dev/null', 'path is neither a file nor a folder: /dev/null'],
    ['/tmp/a\u0000b', 'path not found'],
  ])('are refused: %s', (path, message) => expect(expandPaths([path])).rejects.toThrow(message))

  it('are refused where they hold more than anybody imports', async () => {
    for (let at = 0; at <= 10_001; at += 1) writeFileSync(join(folder, `${at}.csv`), '')
    await expect(expandPaths([folder])).rejects.toThrow('paths must hold at most 10000 files')
    // Whoever names the root by mistake hears of it, too, before all of it was looked at.
    await expect(expandPaths(['/'])).rejects.toThrow(InvalidInput)
  })
})
