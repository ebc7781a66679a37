import { expect, it } from 'vitest'
import { truncate, truncateTitle, widthOf } from './text-width.ts'

it.each([
  ['', 0],
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['a\u200bb', 2],
  ['🙂', 2],
  ['…', 1],
])('"%s" takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns)
})

it.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['abc', 1, '…'],
])('"%s" in %d columns is "%s"', (text, max, cut) => {
  expect(truncate(text, max)).toBe(cut)
})

it('keeps the end of a title, where its outcome is', () => {
  const title = 'Who will win the presidential election of 2028? – Somebody else'
  expect(truncateTitle(title, title.length)).toBe(title)
  expect(truncateTitle(title, 40)).toMatch(/…? .*Somebody else$/)
  expect(widthOf(truncateTitle(title, 40))).toBeLessThanOrEqual(40)
  const wide = '日本の次の首相は誰になりますか'
  expect(widthOf(truncateTitle(wide, 20))).toBeLessThanOrEqual(20)
})
