import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { FRAME_COLUMNS, sectionColumns, type Column } from '../../event-frames.ts'
import { blockMemory, layoutOf, numbersOf } from './blocks.ts'
import { writeInOrder, type UnorderedRows } from './event-order.ts'

// In a longer span several instants share a key.
const FROM = 1_000_000
const UNTIL = 1_400_000

const rows = fc.array(
  fc.record({
    // Few instants, so that hundreds of rows share one, and many, so that most have their own.
    known: fc.oneof(
      fc.constantFrom(FROM + 1, FROM + 7, UNTIL),
      fc.integer({ min: FROM + 1, max: UNTIL }),
    ),
    lag: fc.constantFrom(0, 1, 1_000),
    market: fc.integer({ min: 0, max: 5 }),
    arrival: fc.integer({ min: 0, max: 1_000 }),
  }),
  { minLength: 1, maxLength: 400 },
)

type Stamps = Readonly<Record<string, number>>

/** Book rows in blocks of sixteen; level `k` of the other columns of row `n` is `n * 5 + k`. */
function unordered(stamps: readonly Stamps[]): UnorderedRows {
  const layout = layoutOf('books', 16)
  const memory = blockMemory(new ArrayBuffer(Math.ceil(stamps.length / 16) * layout.bytes))
  for (const { name, bytes, start, width } of layout.columns) {
    const column = numbersOf(memory, bytes)
    for (const [n, row] of stamps.entries()) {
      const at = start + Math.floor(n / 16) * (layout.bytes / bytes) + (n % 16) * width
      for (let k = 0; k < width; k++) column[at + k] = row[name] ?? n * 5 + k
    }
  }
  return { layout, memory, count: stamps.length }
}

describe('event order', () => {
  it('[backtest.source.order] is by instant, venue time, market and arrival, however rows were scanned', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(UNTIL, FROM + 2 ** 36), (plain, until) => {
        const stamps = plain.map((row, n) => ({
          ...row,
          arrival: row.arrival * 1_000 + n,
          ts: row.known - row.lag,
        }))
        const columns = sectionColumns('books', new ArrayBuffer(stamps.length * 192), stamps.length)
        writeInOrder('books', unordered(stamps), { from: FROM, until }, columns)
        const written = (name: string): Column | undefined =>
          columns[FRAME_COLUMNS.books.findIndex((column) => column.name === name)]
        const expected = stamps
          .map((row, n) => ({ ...row, n }))
          .sort(
            (a, b) =>
              a.known - b.known || a.ts - b.ts || a.market - b.market || a.arrival - b.arrival,
          )
        const levels = expected.flatMap(({ n }) => [0, 1, 2, 3, 4].map((k) => n * 5 + k))
        expect(written('known')).toEqual(Float64Array.from(expected, ({ known }) => known))
        expect(written('ts')).toEqual(Float64Array.from(expected, ({ ts }) => ts))
        expect(written('market')).toEqual(Int32Array.from(expected, ({ market }) => market))
        expect(written('bidPrice')).toEqual(Int32Array.from(levels))
        expect(written('askSize')).toEqual(Float64Array.from(levels))
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})
