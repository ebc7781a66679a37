import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogFile } from './log-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sizes = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size])

it('appends to an existing file', () => {
  new LogFile(folder).write('one\n')
  new LogFile(folder).write('two\n')
  expect(readFileSync(join(folder, 'backend.log'), 'utf8')).toBe('one\ntwo\n')
})

it('starts a new file at five megabytes and keeps three older ones', () => {
  const log = new LogFile(folder)
  const million = `${'x'.repeat(999_999)}\n`
  for (let count = 0; count < 32; count += 1) log.write(million)
  expect(sizes()).toEqual([
    ['backend.log', 2_000_000],
    ['backend.log.1', 6_000_000],
    ['backend.log.2', 6_000_000],
    ['backend.log.3', 6_000_000],
  ])
})

it('drops what cannot be written, without an error', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => new LogFile(file).write('lost\n')).not.toThrow()
})
