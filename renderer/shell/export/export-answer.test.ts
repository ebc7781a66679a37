import { describe, expect, it } from 'vitest'
import { parseLine } from '../commands/parse.ts'
import { csvOf, markdownOf, rowsOf } from './export-answer.ts'
import { queryOf } from './export-query.ts'

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

describe('the route of an export', () => {
  const pathOf = (line: string, ticker: string | null = 'KX-1', asOf: string | null = null) => {
    const commands = parseLine(line)
    if ('message' in commands || commands[0] === undefined) throw new Error(line)
    return queryOf(commands[0], { ticker, asOf }, Date.parse('2026-11-20T10:00:00.000Z')).path
  }

  it.each([
    ['SCAN oil', '/api/public/'],
    ['MOV', 'sort=change24h&order=desc'],
    ['HEALTH', '/status'],
    ['KEY', '/api/keys'],
    ['MW', '/api/dashboard2/market-watch-v2'],
    ['. GP 15m', '/api/public/market/KX-1/candles'],
    ['. HIST', '/api/public/market/KX-1/history'],
    ['. DES', '/api/public/market/KX-1?'],
  ])('%s is %s', (line, part) => {
    expect(pathOf(line)).toContain(part)
  })

  it.each(['GP', 'HIST', 'DES', 'BOOK', 'TAPE', 'CHG', 'XV', 'MICRO', 'TRAIL', 'CAL', 'OPIN'])(
    '. %s is as of the instant that is shown',
    (verb) => {
      const at = '2026-11-19T10:00:00.000Z'
      expect(pathOf(`. ${verb}`, 'KX-1', at)).toContain(`asOf=${encodeURIComponent(at)}`)
      expect(pathOf(`. ${verb}`)).not.toContain('asOf')
    },
  )

  it('of a market needs one', () => {
    expect(() => pathOf('. DES', null)).toThrow('Name a market first')
  })
})
