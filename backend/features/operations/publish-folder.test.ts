import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { publishFolder } from './publish-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'augury-publish-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const folderWith = (name: string, content: string): string => {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), content)
  return folder
}
const contentOf = (folder: string): string => readFileSync(join(folder, 'file'), 'utf8')

it('replaces a folder, also when an earlier replacement was cut off before its end', () => {
  const to = folderWith('backup', 'second')
  folderWith('backup.replaced', 'first')
  publishFolder(folderWith('staged', 'third'), to)
  expect(contentOf(to)).toBe('third')
  expect(readdirSync(root)).toEqual(['backup'])
})

it('leaves the folder of a replacement alone when it replaces nothing', () => {
  const other = folderWith('backup.replaced', 'only copy')
  publishFolder(folderWith('staged', 'new'), join(root, 'backup'))
  expect(contentOf(join(root, 'backup'))).toBe('new')
  expect(contentOf(other)).toBe('only copy')
})
