import type { Snippet } from 'svelte'
import { describe, expect, it } from 'vitest'
import {
  columnDecimals,
  completeColumn,
  nextSorting,
  sortedRows,
  visibleWindow,
  type Column,
  type Sorting,
} from './table.ts'

interface Row {
  readonly name: string
  readonly price: number | null
}
const cell = (() => {}) as unknown as Snippet<[Row]>
const columns: readonly Column<Row>[] = [
  { id: 'name', label: 'Name', width: 100, cell, sortValue: ({ name }) => name },
  { id: 'price', label: 'Price', width: 50, cell, sortValue: ({ price }) => price },
  { id: 'bid', label: 'Bid', width: 50, hidePriority: 2, cell },
  { id: 'ask', label: 'Ask', width: 50, hidePriority: 2, cell },
  { id: 'note', label: 'Note', width: 50, hidePriority: 1, cell },
]

it('gives each column of prices the decimals that many of them need', () => {
  const priced = columns.map((column) => ({ ...column, cents: ({ price }: Row) => price }))
  const decimals = (prices: readonly (number | null)[]) =>
    columnDecimals(
      priced.slice(1, 2),
      prices.map((price) => ({ name: '', price })),
    ).get('price')
  expect(decimals([4.3, 22.5, null])).toBe(1)
  expect(decimals([4.3, 1.65])).toBe(2)
  expect(decimals([4.3, 1.65, 7, 8, null])).toBe(1)
  expect(decimals([])).toBe(1)
  expect(columnDecimals(columns, []).size).toBe(0)
})

it('aligns and sorts a column by its prices unless it states other ones', () => {
  const [name, price] = columns as [Column<Row>, Column<Row>]
  const cents = (row: Row) => row.price
  const { sortValue: _sortValue, ...unsorted } = price
  expect(completeColumn({ ...unsorted, cents })).toMatchObject({ numeric: true, sortValue: cents })
  expect(completeColumn({ ...price, cents }).sortValue).toBe(price.sortValue)
  expect(completeColumn(name)).toBe(name)
})

describe('sortedRows', () => {
  const rows: readonly Row[] = [
    { name: 'b', price: 2 },
    { name: 'none', price: null },
    { name: 'a', price: 3 },
    { name: 'c', price: 2 },
  ]
  const names = (sorting: Sorting | null) =>
    sortedRows(rows, columns, sorting).map(({ name }) => name)

  it('sorts unknown values last in both directions and keeps the order of ties', () => {
    expect(names({ column: 'price', descending: true })).toEqual(['a', 'b', 'c', 'none'])
    expect(names({ column: 'price', descending: false })).toEqual(['b', 'c', 'a', 'none'])
  })

  it('keeps the given order without a sorting', () => {
    expect(sortedRows(rows, columns, null)).toBe(rows)
    expect(names({ column: 'bid', descending: true })).toEqual(['b', 'none', 'a', 'c'])
  })
})

it('cycles from descending to ascending to the given order', () => {
  const first = nextSorting(null, 'price')
  const second = nextSorting(first, 'price')
  expect([first?.descending, second?.descending, nextSorting(second, 'price')]).toEqual([
    true,
    false,
    null,
  ])
  expect(nextSorting(second, 'name')).toEqual({ column: 'name', descending: true })
})

it.each([
  [0, 260, 26, 1000, { first: 0, count: 18 }],
  [2600, 260, 26, 1000, { first: 92, count: 26 }],
  [26_000, 260, 26, 1000, { first: 992, count: 8 }],
  [0, 260, 26, 3, { first: 0, count: 3 }],
  [500, 260, 26, 0, { first: 0, count: 0 }],
])('draws only rows near scroll %s', (top, height, row, total, window) => {
  expect(visibleWindow(top, height, row, total)).toEqual(window)
})
