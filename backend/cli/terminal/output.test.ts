import { describe, expect, it } from 'vitest'
import { amount, cents, centsChange, clean, cleanLines, dollars } from './output.ts'
import { minute, percent, table, text } from './output.ts'
import { PLAIN, screenOf } from '../reads/screen.ts'

describe('cells', () => {
  it.each([
    [63.5, '63.5¢'],
    [64, '64¢'],
    [0.25, '0.25¢'],
    [0, '0¢'],
    [null, '–'],
    [undefined, '–'],
  ])('prints %s as %s', (value, expected) => expect(cents(value)).toBe(expected))

  it.each([
    [1.5, '+1.5¢'],
    [-2, '-2¢'],
    [0, '0¢'],
    [null, '–'],
  ])('prints a change of %s as %s', (value, expected) => expect(centsChange(value)).toBe(expected))

  it('groups thousands and keeps two decimals', () => {
    expect([amount(1_234_567.891), amount(0), amount(null)]).toEqual(['1,234,567.89', '0', '–'])
  })

  it('writes money and percentages', () => {
    const values = [1234.5, 0.00123, -1234.5, null]
    expect(values.map(dollars)).toEqual(['$1,234.50', '$0.0012', '-$1,234.50', '–'])
    expect([percent(1012.5), percent(-3), percent(null)]).toEqual(['1,012.5 %', '-3 %', '–'])
  })

  it('prints a time to the minute, and a dash for none', () => {
    expect([minute('2026-11-20T14:05:59.000Z'), minute(null)]).toEqual(['2026-11-20 14:05', '–'])
  })
})

describe('foreign text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['two\nlines\tand a tab', 'two lines and a tab'],
    ['a\u0007b\u009bc\u202ed', 'abcd'],
    ['Ünïcode 日本 stays', 'Ünïcode 日本 stays'],
    ['pay \u202e001 \u2066you\u2069', 'pay 001 you'],
    ['one\u2028two\u0085three', 'one two three'],
    ['half \ud83d of a pair', 'half  of a pair'],
  ])('cannot control the terminal: %j', (text, expected) => expect(clean(text)).toBe(expected))

  // [client.cli.foreign-text]
  it('keeps its line breaks where allowed, and no control characters', () => {
    expect(cleanLines('# A\n\n\u001b]0;owned\u0007- b\tc\r\n\u009b2J\u202eend')).toBe(
      '# A\n\n]0;owned- b\tc\n2Jend',
    )
  })

  it('is a dash when nothing is left of it', () => {
    expect([text(''), text('\u0007'), text(null)]).toEqual(['–', '–', '–'])
  })
})

describe('table', () => {
  const columns = [
    {
      title: 'Title',
      cell: (row: { name: string; price: number | null }) => text(row.name),
      max: 8,
    },
    { title: 'Price', cell: (row: { price: number | null }) => cents(row.price), align: 'right' },
    { title: 'Ticker', cell: (row: { name: string }) => row.name.length.toString() },
  ] as const

  it('aligns columns and cuts what is too long', () => {
    const rows = [
      { name: 'Short', price: 5 },
      { name: 'Rather long', price: null },
    ]
    expect(table(rows, columns).split('\n')).toEqual([
      'Title     Price  Ticker',
      'Short        5¢  5',
      'Rather …      –  11',
    ])
  })

  // [client.cli.tables]
  it('aligns wide and zero-width characters', () => {
    const rows = [
      { name: '日本', price: 5 },
      { name: 'e\u0301te', price: 5 },
      { name: '日本日本日', price: 5 },
    ]
    expect(table(rows, columns).split('\n').slice(1)).toEqual([
      '日本        5¢  2',
      'e\u0301te         5¢  4',
      '日本日…     5¢  5',
    ])
  })

  it('keeps the end of a title, where the outcome is', () => {
    const title = 'Will the Fed’s decision after its December 2026 meeting be: Cut 25bps?'
    const columns = [{ title: 'Market', cell: () => title, max: 40, keepsEnd: true }]
    expect(table([{}], columns).split('\n')[1]).toBe('Will the Fed’s… meeting be: Cut 25bps?')
    const [, line = ''] = table([{}], columns, { ...PLAIN, columns: 35 }).split('\n')
    expect(line).toMatch(/^Will the.*…/)
    expect([line.length <= 35, line.endsWith('Cut 25bps?')]).toEqual([true, true])
    const wide = [{ ...columns[0], title: 'Market', cell: () => '日'.repeat(40) }]
    expect(table([{}], wide).split('\n')[1]).toBe(`${'日'.repeat(19)}…`)
  })

  it('shrinks its first column on a narrow terminal, but keeps it readable', () => {
    const wide = [
      { title: 'Title', cell: (row: string) => row },
      { title: 'Ticker', cell: () => 'KXABC' },
    ]
    const rows = ['x'.repeat(60)]
    const at = (width: number) => table(rows, wide, { columns: width, paint: (cell) => cell })
    expect(at(50).split('\n')[1]).toBe(`${'x'.repeat(41)}…  KXABC`)
    expect(at(20).split('\n')[1]).toBe(`${'x'.repeat(31)}…  KXABC`)
  })

  // [client.cli.terminal-only]
  it.each([
    [80, {}, true],
    [80, { NO_COLOR: '' }, true],
    [80, { NO_COLOR: '1' }, false],
    [80, { TERM: 'dumb' }, false],
    [null, {}, false],
  ])('with %s columns and %j has colours: %s', (width, env, coloured) => {
    const { paint } = screenOf({ columns: width, env })
    expect(paint('5¢', 'up')).toBe(coloured ? '\u001b[32m5¢\u001b[0m' : '5¢')
    expect(paint('5¢', null)).toBe('5¢')
  })

  it('prints only its header when there are no rows', () => {
    expect(table([], columns)).toBe('Title  Price  Ticker')
  })
})
