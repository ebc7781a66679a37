import { describe, expect, it } from 'vitest'
import { amount, cents, centsChange, clean, minute, table, text } from './output.ts'
import { nearest } from './nearest.ts'

describe('cells', () => {
  it.each([
    [63.5, '63.5¢'],
    [64, '64¢'],
    [0.25, '0.25¢'],
    [0, '0¢'],
    [null, '–'],
    [undefined, '–'],
  ])('prices %s as %s', (value, expected) => expect(cents(value)).toBe(expected))

  it.each([
    [1.5, '+1.5¢'],
    [-2, '-2¢'],
    [0, '0¢'],
    [null, '–'],
  ])('changes by %s as %s', (value, expected) => expect(centsChange(value)).toBe(expected))

  it('parts thousands and keeps two decimals', () => {
    expect([amount(1_234_567.891), amount(0), amount(null)]).toEqual(['1,234,567.89', '0', '–'])
  })

  it('gives a minute of a time, and a dash for none', () => {
    expect([minute('2026-11-20T14:05:59.000Z'), minute(null)]).toEqual(['2026-11-20 14:05', '–'])
  })
})

describe('foreign text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['two\nlines\tand a tab', 'two lines and a tab'],
    ['a\u0007b\u009bc\u202ed', 'abcd'],
    ['Ünïcode 日本 stays', 'Ünïcode 日本 stays'],
  ])('cannot steer the terminal: %j', (given, expected) => expect(clean(given)).toBe(expected))

  it('is a dash when nothing is left of it', () => {
    expect([text(''), text('\u0007'), text(null)]).toEqual(['–', '–', '–'])
  })
})

describe('table', () => {
  const columns = [
    {
      title: 'Title',
      of: (row: { name: string; price: number | null }) => text(row.name),
      most: 8,
    },
    { title: 'Price', of: (row: { price: number | null }) => cents(row.price), align: 'right' },
    { title: 'Ticker', of: (row: { name: string }) => row.name.length.toString() },
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

  it('is its titles when there are no rows', () => {
    expect(table([], columns)).toBe('Title  Price  Ticker')
  })
})

describe('nearest', () => {
  const names = ['serve', 'import', 'markets', 'market', 'candles']
  it.each([
    ['mrket', 'market'],
    ['marktes', 'markets'],
    ['candels', 'candles'],
    ['SERVE', 'serve'],
  ])('finds what %s was meant to be', (given, meant) => {
    const found = nearest(given, names)
    expect(found).toHaveLength(3)
    expect(found[0]).toBe(meant)
  })
})
