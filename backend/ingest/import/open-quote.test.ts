import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lineOfOpenQuote } from './open-quote.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-quotes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a quote in a CSV file', () => {
  it.each([
    ['none', 'a,b\n1,2\n', null],
    ['closed', 'a,b\n"1","2, ""or\n"" more"\n', null],
    ['an empty one', 'a,b\n"",""\n', null],
    ['within a cell', 'a,b\n5" pipe,2\n', null],
    ['open', 'a,b\n1,2\n"3,4\n5,6\n', 3],
    ['open behind a doubled one', 'a,b\n"1""",2\n3,"""4\n5,6\n', 3],
  ])('%s', async (_what, text, line) => {
    const path = join(folder, 'some.csv')
    writeFileSync(path, text)
    expect(await lineOfOpenQuote(path, ',')).toBe(line)
  })
})
