import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameBytes, layFrame } from '../run-frames.ts'
import { layoutOf, numbersIn, numbersOf } from './run-columns.ts'
import { inRunOrder, type DealtRows } from './run-order.ts'

// In a longer span several instants fall on one part of it.
const FROM = 1_000_000
const UNTIL = 1_400_000

const rows = fc.array(
  fc.record({
    // Few instants, so that hundreds of rows fall on one, and many, so that most stand alone.
    known: fc.oneof(
      fc.constantFrom(FROM + 1, FROM + 7, UNTIL),
      fc.integer({ min: FROM + 1, max: UNTIL }),
    ),
    lag: fc.constantFrom(0, 1, 1_000),
    market: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 1, maxLength: 400 },
)

/** Rows of books in blocks of sixteen; level `k` of every column of row `n` is `n * 5 + k` where nothing else is told. */
function dealt(plain: readonly { known: number; ts: number; market: number }[]): DealtRows {
  const layout = layoutOf('books', 16)
  const numbers = numbersIn(new ArrayBuffer(Math.ceil(plain.length / 16) * layout.bytes))
  for (const { name, bytes, start, columns } of layout.columns) {
    const column = numbersOf(numbers, bytes)
    for (const [n, row] of plain.entries()) {
      const at = start + Math.floor(n / 16) * (layout.bytes / bytes) + (n % 16) * columns.length
      for (const k of columns.keys()) {
        const stamp = name === 'known' || name === 'ts' || name === 'market' ? row[name] : null
        column[at + k] = stamp ?? n * 5 + k
      }
    }
  }
  return { layout, numbers, count: plain.length }
}

describe('rows in the order of a run', () => {
  it('[backtest.source.order] stand by instant, venue time, market and arrival, however they were read', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(UNTIL, FROM + 2 ** 36), (plain, until) => {
        const told = plain.map((row, n) => ({ ...row, ts: row.known - row.lag, n }))
        const counts = { trades: 0, quotes: 0, books: told.length, bars: 0 }
        const { books } = layFrame(new ArrayBuffer(frameBytes(counts)), until, counts)
        const ordered = books as unknown as Record<string, Float64Array | Int32Array>
        inRunOrder(dealt(told), { from: FROM, until }, ordered)
        const wanted = told.toSorted(
          (a, b) => a.known - b.known || a.ts - b.ts || a.market - b.market || a.n - b.n,
        )
        const levels = wanted.flatMap(({ n }) => [0, 1, 2, 3, 4].map((k) => n * 5 + k))
        expect(ordered['known']).toEqual(Float64Array.from(wanted, ({ known }) => known))
        expect(ordered['ts']).toEqual(Float64Array.from(wanted, ({ ts }) => ts))
        expect(ordered['market']).toEqual(Int32Array.from(wanted, ({ market }) => market))
        expect(ordered['bidPrice']).toEqual(Int32Array.from(levels))
        expect(ordered['askSize']).toEqual(Float64Array.from(levels))
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})
