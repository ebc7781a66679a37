import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  breakSeal,
  generationOf,
  haveEqualSeals,
  isSealedWithRecords,
  seal,
  sealedGenerationOf,
  sealPathOf,
  sealStateOf,
} from './seal.ts'

let folder: string
let path: string
let other: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-seal-'))
  path = join(folder, 'rows.sqlite')
  other = join(folder, 'other.sqlite')
  const database = new DatabaseSync(path)
  database.exec("pragma user_version = 7; create table item (text); insert into item values ('a')")
  database.close()
  seal(path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (offset: number, byte: number): void => {
  const content = readFileSync(path)
  content.writeUInt8(byte, offset)
  writeFileSync(path, content)
}

it('is intact until the content changes', () => {
  expect([sealStateOf(path), isSealedWithRecords(path)]).toEqual(['intact', true])
  write(5_000, 0x55)
  expect(sealStateOf(path)).toBe('broken')
})

it('is unknown when another program wrote the file, whose header then changed', () => {
  write(99, 0x55)
  expect(sealStateOf(path)).toBe('unknown')
  seal(path)
  write(100, 0x55)
  expect(sealStateOf(path)).toBe('broken')
})

it('is unknown without a file or a readable seal', () => {
  rmSync(path)
  expect(sealStateOf(path)).toBe('unknown')
  for (const text of ['{', 'null', '{}', '{"sha256":"0"}', '{"head":"0"}']) {
    writeFileSync(sealPathOf(path), text)
    expect([sealStateOf(path), isSealedWithRecords(path), sealedGenerationOf(path)]).toEqual([
      'unknown',
      false,
      null,
    ])
  }
})

it('states no records in a seal of an earlier version', () => {
  const { isRecorded: _, ...earlier } = JSON.parse(readFileSync(sealPathOf(path), 'utf8')) as {
    isRecorded: boolean
  }
  writeFileSync(sealPathOf(path), JSON.stringify(earlier))
  expect([sealStateOf(path), isSealedWithRecords(path)]).toEqual(['intact', false])
})

it('breaks before a write, also when it is broken', () => {
  breakSeal(path)
  breakSeal(path)
  expect([existsSync(sealPathOf(path)), sealStateOf(path)]).toEqual([false, 'unknown'])
})

it('counts the checkpoints of the file and of its seal', () => {
  expect([generationOf(path), sealedGenerationOf(path)]).toEqual([7, 7])
  const database = new DatabaseSync(path)
  database.exec('pragma user_version = 70000')
  database.close()
  expect([generationOf(path), sealedGenerationOf(path)]).toEqual([70_000, 7])
})

it('counts none without a SQLite header', () => {
  expect(generationOf(other)).toBeNull()
  writeFileSync(other, '')
  expect(generationOf(other)).toBeNull()
  writeFileSync(other, 'x'.repeat(200))
  expect(generationOf(other)).toBeNull()
  seal(other)
  expect(sealedGenerationOf(other)).toBeNull()
  writeFileSync(other, readFileSync(path).subarray(0, 99))
  seal(other)
  expect(sealedGenerationOf(other)).toBeNull()
  writeFileSync(other, readFileSync(path).subarray(0, 100))
  seal(other)
  expect(sealedGenerationOf(other)).toBe(7)
})

it('compares two files as they were sealed', () => {
  copyFileSync(path, other)
  expect(haveEqualSeals(path, other)).toBe(false)
  seal(other)
  expect(haveEqualSeals(path, other)).toBe(true)
  writeFileSync(other, 'changed')
  expect(haveEqualSeals(path, other)).toBe(true)
  seal(other)
  expect(haveEqualSeals(path, other)).toBe(false)
  breakSeal(path)
  breakSeal(other)
  expect(haveEqualSeals(path, other)).toBe(false)
})
