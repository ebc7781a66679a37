import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatOf } from './file-format.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-format-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, bytes: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('formatOf', () => {
  it.each([
    ['json.csv', '{"a":1}', 'json'],
    ['list.parquet', '  \n[1]', 'json'],
    ['bom.txt', '\uFEFF{"a":1}', 'json'],
    ['table.json', 'a,b\n1,2\n', 'csv'],
    [
      'quotes.csv',
      Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(8), Buffer.from('PAR1')]),
      'parquet',
    ],
  ])('detects the format of %s by content, not by name', async (name, bytes, format) => {
    expect(await formatOf(file(name, bytes))).toBe(format)
  })

  it.each([
    ['empty.json', '', 'the file is empty'],
    ['blank.csv', '   \n', 'the file is blank'],
    ['cut.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(64)]), /truncated/],
    ['packed.zip', Buffer.from('PK\u0003\u0004'), /zip archive/],
    ['sound.wav', Buffer.from('RIFF\0\0\0\0WAVE'), /binary/],
  ])('reports what is wrong with %s', async (name, bytes, message) => {
    await expect(formatOf(file(name, bytes))).rejects.toThrow(message)
  })

  it('reports that a missing file could not be read', async () => {
    await expect(formatOf(join(folder, 'nowhere'))).rejects.toThrow('the file could not be read')
  })
})
