import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inRunOrder, type ReadRows } from './run-order.ts'

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

describe('rows in the order of a run', () => {
  it('[backtest.source.order] stand by instant, venue time, market and arrival, however they were read', () => {
    fc.assert(
      fc.property(rows, fc.nat(9), (plain, spare) => {
        const capacity = plain.length + spare
        const told = plain.map((row, n) => ({ ...row, ts: row.known - row.lag, arrival: (n * 401) % 1_009, n })) // prettier-ignore
        const column = <C extends Float64Array | Int32Array>(
          empty: C,
          of: (row: (typeof told)[number]) => number,
        ): C => {
          // prettier-ignore
          for (const [at, row] of told.entries()) empty[at] = of(row)
          return empty
        }
        const levels = new Int32Array(capacity * 5)
        for (const { n } of told) for (let k = 0; k < 5; k++) levels[n * 5 + k] = n * 5 + k
        const read: ReadRows = {
          stamps: {
            known: column(new Float64Array(capacity), ({ known }) => known),
            ts: column(new Float64Array(capacity), ({ ts }) => ts),
            market: column(new Int32Array(capacity), ({ market }) => market),
            arrival: column(new Float64Array(capacity), ({ arrival }) => arrival),
          },
          told: { price: column(new Int32Array(capacity), ({ n }) => n), bidPrice: levels },
          ...{ capacity, count: plain.length },
        }
        const steps = inRunOrder(read, { from: FROM, until: UNTIL })
        let step = steps.next()
        while (step.done !== true) step = steps.next()
        const wanted = told.toSorted(
          (a, b) => a.known - b.known || a.ts - b.ts || a.market - b.market || a.arrival - b.arrival || a.n - b.n, // prettier-ignore
        )
        const ordered = step.value as {
          known: Float64Array
          price: Int32Array
          bidPrice: Int32Array
        }
        expect(Array.from(ordered.known)).toEqual(wanted.map(({ known }) => known))
        expect(Array.from(ordered.price)).toEqual(wanted.map(({ n }) => n))
        expect(Array.from(ordered.bidPrice)).toEqual(
          wanted.flatMap(({ n }) => [0, 1, 2, 3, 4].map((k) => n * 5 + k)),
        )
        expect(Object.keys(ordered)).not.toContain('arrival')
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})
