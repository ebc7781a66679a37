import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isWithin, realPathOf } from './real-path.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'augury-real-')))
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a', 'file'), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the real path', () => {
  it('resolves links of the existing part and keeps the rest', () => {
    symlinkSync(join(folder, 'a'), join(folder, 'link'))
    expect(realPathOf(join(folder, 'link'))).toBe(join(folder, 'a'))
    expect(realPathOf(join(folder, 'link', 'new', 'deep'))).toBe(join(folder, 'a', 'new', 'deep'))
    expect(realPathOf(join(folder, 'new'))).toBe(join(folder, 'new'))
  })

  it('refuses links without a target, loops and folders that are files', () => {
    symlinkSync(join(folder, 'nothing'), join(folder, 'dangling'))
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'))
    for (const name of ['dangling', 'dangling/new', 'loop', 'a/file/new']) {
      expect(() => realPathOf(join(folder, name))).toThrow(/ENOENT|ELOOP|ENOTDIR/)
    }
  })
})

describe('within', () => {
  it.each([
    ['/data', '/data', true],
    ['/data', '/data/x', true],
    ['/data', '/data/..x', true],
    ['/data', '/database', false],
    ['/data', '/', false],
    ['/data', '/other', false],
  ])('%s is %s: %s', (outer, path, expected) => expect(isWithin(outer, path)).toBe(expected))
})
