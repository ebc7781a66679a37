import { describe, expect, it } from 'vitest'
import { columnPages } from './column-pages.ts'

describe('columns in pages', () => {
  it.each([0, 1, 61, 8_192, 9_000])('of %i numbers do not overlap', (length) => {
    const next = columnPages(Int32Array, length)
    const columns = Array.from({ length: 300 }, (_, index) => next().fill(index))
    const isOwn = (column: Int32Array, place: number) =>
      column.length === length && column.every((value) => value === place)
    expect(columns.every(isOwn)).toBe(true)
  })

  it('share their memory while they are short', () => {
    const next = columnPages(Float64Array, 100)
    expect(next().buffer).toBe(next().buffer)
  })
})
