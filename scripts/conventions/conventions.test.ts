import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { dialectIn, dialectInName, PROSE_TERMS } from './dialect.ts'
import { crowdedFolders } from './folders.ts'
import { packedLines } from './line-packing.ts'
import { isLintDirective } from './lint-directives.ts'
import { commentsOf, markupTextsOf, messagesOf, namesOf, titlesOf, treeOf } from './sources.ts'
import { wallClockReads } from './wall-clock.ts'

const parsed = (text: string): ts.SourceFile =>
  ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)

describe('the conventions', () => {
  it.each([
    ['/** The quote is told anew. */', 2],
    ['// Returns null when the venue has not published a price.', 0],
    ['// [replay.step.only-on-request]', 0],
    ['/* Installing takes a while; a story of "untold" is fine. */', 0],
  ])('count avoided words of %s', (comment, count) => {
    expect(dialectIn(comment)).toHaveLength(count)
  })

  it.each([
    ['toldAt', 1],
    ['#heardTrades', 1],
    ['wasHeard', 1],
    ['household', 0],
  ])('count avoided parts of the name %s', (name, count) => {
    expect(dialectInName(name)).toHaveLength(count)
  })

  it('find spreads of literals, and no others', () => {
    const text = 'const a = { ...{ b: 1 } }\nconst c = [...[1], ...a]\nconst d = { ...a }'
    expect(packedLines(parsed(text))).toEqual([1, 2])
  })

  it.each([
    ['// oxlint-disable-next-line no-console', true],
    ['/* eslint-disable */', true],
    ['/* eslint no-console: off */', true],
    ['// Rules are in eslint.config.mjs', false],
  ])('find comments that change lint rules: %s', (comment, isDirective) => {
    expect(isLintDirective(comment)).toBe(isDirective)
  })

  it('find reads of the wall clock in the backend, except in the clock', () => {
    const tree = parsed('new Date()\nnew Date\nDate()\nString(Date(1))\nnew Date(0)\nmy.Date()')
    expect(wallClockReads('backend/a.test.ts', tree)).toEqual([1, 2, 3, 4])
    expect(wallClockReads('backend/lib/clock.ts', tree)).toEqual([])
    expect(wallClockReads('renderer/a.ts', tree)).toEqual([])
  })

  it('find folders with more than 25 product files, without tests', () => {
    const files = (count: number, ending: string): string[] =>
      Array.from({ length: count }, (_, i) => `backend/domain/f${i}${ending}`)
    expect(crowdedFolders([...files(25, '.ts'), ...files(9, '.test.ts')])).toEqual([])
    expect(crowdedFolders(files(26, '.ts'))).toEqual([{ folder: 'backend/domain', files: 26 }])
  })

  it('read the titles of tests in every form', () => {
    const text =
      "describe('a', () => {\n  it.each([['b c']])('says %s', run)\n  test.skipIf(no)(`d ${e}`, run)\n})\nother('f')"
    const titles = titlesOf(parsed(text))
    expect(titles.map(({ line }) => line)).toEqual([1, 2, 3])
    expect(titles.flatMap((title) => dialectIn(title.text, PROSE_TERMS))).toHaveLength(1)
    expect(titles.flatMap((title) => dialectIn(title.text))).toEqual([])
  })

  it('keep the line numbers of a component', () => {
    const text = '<p>text</p>\n<script lang="ts">\n  // one\n  let named = 1\n</script>\n'
    const tree = treeOf({ path: 'A.svelte', text })
    expect(commentsOf(tree)).toEqual([{ line: 3, text: '// one' }])
    expect(namesOf(tree)).toEqual([{ line: 4, text: 'named' }])
  })

  it('read the texts of markup and the messages of code', () => {
    const text = '<script>const a = 1</script>\n<p title="one two">{a} is told</p>\n<!-- anew -->'
    const texts = markupTextsOf({ path: 'A.svelte', text })
    expect(texts.map(({ line }) => line)).toEqual([2, 2, 3])
    expect(texts.flatMap((found) => dialectIn(found.text))).toHaveLength(2)
    expect(markupTextsOf({ path: 'a.ts', text })).toEqual([])
    const code = "const a = 'one two'\nconst b = `${a} is told`\nconst c = 'id'"
    expect(messagesOf(parsed(code)).map(({ line }) => line)).toEqual([1, 2])
  })
})
