import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderSize } from './folder-size.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'augury-size-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('size of a folder', () => {
  it('sums all files at any depth', async () => {
    mkdirSync(join(folder, 'parquet', 'trades'), { recursive: true })
    writeFileSync(join(folder, 'a'), 'x'.repeat(1_000))
    writeFileSync(join(folder, 'parquet', 'trades', 'b'), 'x'.repeat(234))
    expect(await folderSize(folder)).toBe(1_234)
  })

  it('does not follow a link out of the folder', async () => {
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'large'), 'x'.repeat(9_000))
    symlinkSync(folder, join(folder, 'data', 'out'))
    expect(await folderSize(join(folder, 'data'))).toBeLessThan(9_000)
  })

  it('is 0 without a folder', async () => {
    expect(await folderSize(join(folder, 'none'))).toBe(0)
  })
})
