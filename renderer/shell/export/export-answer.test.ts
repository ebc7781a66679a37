import { expect, it } from 'vitest'
import { csvOf, markdownOf, rowsOf } from './export-answer.ts'

it('finds the rows of an answer', () => {
  expect(rowsOf({ count: 1, markets: [{ ticker: 'A' }] })).toEqual([{ ticker: 'A' }])
  expect(rowsOf({ regime: {}, trail: { from: {}, nodes: [{ ticker: 'B' }] } })).toEqual([
    { ticker: 'B' },
  ])
  expect(rowsOf({ ticker: 'A' })).toEqual([{ ticker: 'A' }])
})

it('writes CSV that a spreadsheet reads as data', () => {
  const rows = [
    { ticker: 'A', title: 'Rates, "cut"', price: 3.5, change: -2 },
    { ticker: 'B', title: '=HYPERLINK(1)', price: null, topics: ['oil'] },
  ]
  expect(csvOf(rows)).toBe(
    'ticker,title,price,change,topics\r\n' +
      'A,"Rates, ""cut""",3.5,-2,\r\n' +
      'B,\'=HYPERLINK(1),,,"[""oil""]"\r\n',
  )
})

it.each(['=1+1', '-1+1', '+1', '@SUM(A1)', '\t=1', '\r=1'])(
  'guards text that a spreadsheet takes for a formula: %j',
  (title) => {
    const quoted = /[\r"]/.test(title) ? `"'${title}"` : `'${title}`
    expect(csvOf([{ title, change: -2 }])).toBe(`title,change\r\n${quoted},-2\r\n`)
  },
)

it('writes markdown of plain columns, one line per row [terminal.window.forms]', () => {
  const rows = [
    { ticker: 'A', title: 'Rates | "cut"\nsoon', price: 3.5, pageUrl: 'http://x', topics: ['oil'] },
    { ticker: 'B', title: 'Two', price: null, pageUrl: 'http://y', topics: [] },
  ]
  expect(markdownOf(rows)).toBe(
    '| ticker | title | price |\n' +
      '| --- | --- | --- |\n' +
      '| A | Rates \\| "cut" soon | 3.5 |\n' +
      '| B | Two |  |\n',
  )
})
