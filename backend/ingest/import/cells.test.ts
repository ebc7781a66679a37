import { describe, expect, it } from 'vitest'
import { cellsOf, RefusedRow, type Cells } from './cells.ts'

const AT = Date.parse('2026-03-01T10:00:00Z')

/** What a cell is read as, or why its row is refused. */
function read(cell: unknown, as: keyof Cells): unknown {
  try {
    return cellsOf({ cell })[as]('cell')
  } catch (error) {
    if (error instanceof RefusedRow) return error.message
    throw error
  }
}

describe('a cell', () => {
  it.each([
    ['text', 'a', 'a'],
    ['text', '', null],
    ['text', null, null],
    ['needed', 'a', 'a'],
    ['needed', '', 'cell is missing'],
    ['ticker', 'kx-a', 'KX-A'],
    ['ticker', null, 'cell is missing'],
    ['price', '0', 0],
    ['price', '0.4125', 4_125],
    ['price', '1', 10_000],
    ['price', '1e-4', 1],
    ['price', '4.1E-1', 4_100],
    ['price', '1.0001', 'cell is not a price from 0 to 1'],
    ['price', '-0.0001', 'cell is not a price from 0 to 1'],
    ['price', 'x', 'cell is not a price from 0 to 1'],
    ['price', '', null],
    ['neededPrice', '0.5', 5_000],
    ['neededPrice', '', 'cell is missing'],
    ['neededPrice', '2', 'cell is not a price from 0 to 1'],
    ['percent', '0', 0],
    ['percent', '41.25', 4_125],
    ['percent', '100', 10_000],
    ['percent', '100.01', 'cell is not a price from 0 to 100'],
    ['percent', '', null],
    ['amount', '0', 0],
    ['amount', '1.5', 1_500_000],
    ['amount', '1e-6', 1],
    ['amount', '2.5e+3', 2_500_000_000],
    ['amount', '-1', 'cell is not an amount'],
    ['amount', 'many', 'cell is not an amount'],
    ['amount', '', null],
    ['time', '2026-03-01T10:00:00Z', AT],
    ['time', '', null],
    ['time', 'soon', 'cell is not a time'],
    ['neededTime', '2026-03-01T10:00:00Z', AT],
    ['neededTime', '', 'cell is missing'],
    ['neededTime', 'soon', 'cell is not a time'],
    ['flag', 'TRUE', true],
    ['flag', 't', true],
    ['flag', '1', true],
    ['flag', 'Yes', true],
    ['flag', 'false', false],
    ['flag', 'F', false],
    ['flag', '0', false],
    ['flag', 'no', false],
    ['flag', '', null],
    ['flag', 'maybe', 'cell is neither true nor false'],
  ] as const)('as %s: %j is %j', (as, cell, expected) => {
    expect(read(cell, as)).toEqual(expected)
  })
})
