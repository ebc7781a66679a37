import { expect, it } from 'vitest'
import { ColumnLog } from './column-log.ts'

it.each([0, 1, 31, 32, 33, 96, 20_000])('a log returns its columns: %i rows', (rows) => {
  const log = new ColumnLog(['at', 'twice', 'none'] as const)
  for (let row = 0; row < rows; row++) {
    if (row % 2 === 0) log.add({ at: row, twice: 2 * row, none: NaN })
    else {
      log.begin()
      log.push(row)
      log.push(2 * row)
      log.push(NaN)
    }
  }
  const expected = Float64Array.from({ length: rows }, (_, row) => row)
  const { at, twice, none } = log.columns()
  expect(at).toEqual(expected)
  expect(twice).toEqual(expected.map((row) => 2 * row))
  expect(none).toEqual(expected.map(() => NaN))
})
