import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unpack } from './unpack.ts'

let folder: string
let scratch: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-unpack-'))
  scratch = join(folder, 'scratch')
  mkdirSync(scratch)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TEXT = 'ticker,price\nKX-1,0.41\n'
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

it('unpacks a gzip file by its content, whatever its name', async () => {
  for (const name of ['rows.csv.gz', 'rows.CSV.GZ', 'rows.csv']) {
    const path = await unpack(file(name, gzipSync(TEXT)), scratch)
    expect(path).toMatch(/\/[0-9a-f]{16}-rows\.csv$/i)
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  }
  // Files of one name in several folders do not meet.
  expect(readdirSync(scratch)).toHaveLength(3)
})

it.each([
  ['plain text', TEXT],
  ['an empty file', ''],
  ['half of the mark', Buffer.from([0x1f])],
  ['another mark', Buffer.from([0x1f, 0x8c, 8, 0])],
])('leaves %s where it is', async (_what, content) => {
  const path = file('rows.gz', content)
  expect(await unpack(path, scratch)).toBe(path)
  expect(readdirSync(scratch)).toEqual([])
})

it('leaves a missing file to its reader', async () => {
  const path = join(folder, 'nowhere.gz')
  expect(await unpack(path, scratch)).toBe(path)
})

it('removes what it wrote of a truncated or damaged file', async () => {
  const packed = gzipSync(TEXT.repeat(1_000))
  for (const content of [packed.subarray(0, packed.length - 12), packed.subarray(0, 12)]) {
    await expect(unpack(file('cut.gz', content), scratch)).rejects.toThrow(
      /^the gzip file is truncated or damaged/,
    )
    expect(readdirSync(scratch)).toEqual([])
  }
})

it('takes a file of exactly the limit, and no larger one', async () => {
  const path = file('rows.gz', gzipSync(TEXT))
  expect(readFileSync(await unpack(path, scratch, TEXT.length), 'utf8')).toBe(TEXT)
  await expect(unpack(path, scratch, TEXT.length - 1)).rejects.toThrow(
    `it expands to more than ${TEXT.length - 1} bytes`,
  )
  expect(readdirSync(scratch)).toEqual([])
})
