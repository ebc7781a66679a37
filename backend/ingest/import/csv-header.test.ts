import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { csvHeader, headerOf } from './csv-header.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-header-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (text: string): string => {
  const path = join(folder, 'some.csv')
  writeFileSync(path, text)
  return path
}

describe('the header of a CSV file', () => {
  it.each([
    ['a,b', ',', ['a', 'b']],
    ['a;b', ';', ['a', 'b']],
    ['a\tb', '\t', ['a', 'b']],
    ['a|b', '|', ['a', 'b']],
    ['a', ',', ['a']],
    // The separator with the most columns, and the comma where two have equally many.
    ['a;b;c,d', ';', ['a', 'b', 'c,d']],
    ['a;b,c', ',', ['a;b', 'c']],
    ['"a,b,c";d', ';', ['a,b,c', 'd']],
    ['"a ""b""",c', ',', ['a "b"', 'c']],
    ['"a""",b', ',', ['a"', 'b']],
    [' a , b ', ',', ['a', 'b']],
    ['a,,b,', ',', ['a', 'column1', 'b', 'column3']],
    ['a,A,a,b', ',', ['a', 'A_2', 'a_3', 'b']],
    ['', ',', ['column0']],
  ])('%j is separated by %j', (line, separator, columns) => {
    expect(headerOf(line)).toEqual({ separator, columns })
  })

  it.each([
    ['\uFEFFa,b\n1,2\n', ['a', 'b']],
    ['a,b\r\n1,2\r\n', ['a', 'b']],
    ['a,b\r1,2\r', ['a', 'b']],
    ['a,b', ['a', 'b']],
  ])('is the first line: %j', async (text, columns) => {
    expect((await csvHeader(file(text))).columns).toEqual(columns)
  })

  it('ends within 256 kB', async () => {
    const longest = 'a'.repeat(256 * 1024 - 1)
    expect((await csvHeader(file(`${longest}\n1\n`))).columns).toEqual([longest])
    await expect(csvHeader(file(`${longest}aa\n1\n`))).rejects.toThrow(
      'the first line of the CSV file is not a line of column names',
    )
  })
})
