import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { comparePositions, indexAfter, SortedViews } from './sorted-views.ts'

const rows = fc.uniqueArray(
  fc.record({
    ticker: fc.string({ minLength: 1, maxLength: 3 }),
    key: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
  }),
  { selector: ({ ticker }) => ticker },
)
const order = fc.constantFrom('asc' as const, 'desc' as const)
const viewsOf = (rows: readonly { ticker: string; key: number | null }[]) =>
  new SortedViews(rows, { key: ({ key }) => key })

describe('cached rankings', () => {
  it('are in order with unknown keys last and ties by ticker', () => {
    fc.assert(
      fc.property(rows, order, (input, way) => {
        const ranked = viewsOf(input).select('key', way, '', () => true)
        const compare = comparePositions(way)
        const inOrder = ranked.every((row, index) => {
          const next = ranked[index + 1]
          return next === undefined || compare(row.position, next.position) < 0
        })
        expect(inOrder).toBe(true)
        const known = ranked.findIndex(({ row }) => row.key === null)
        expect(
          ranked.slice(known < 0 ? ranked.length : known).every(({ row }) => row.key === null),
        ).toBe(true)
        expect(ranked).toHaveLength(input.length)
      }),
    )
  })

  it('continue after any position, of a row or between rows', () => {
    const place = fc.tuple(fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }), fc.string())
    fc.assert(
      fc.property(rows, order, place, (input, way, after) => {
        const ranked = viewsOf(input).select('key', way, '', () => true)
        const compare = comparePositions(way)
        const expected = ranked.filter((row) => compare(row.position, after) > 0)
        expect(ranked.slice(indexAfter(ranked, way, after))).toEqual(expected)
      }),
    )
    expect(indexAfter([], 'asc', null)).toBe(0)
  })

  it('apply a filter once, and keep filters separate', () => {
    const views = viewsOf([
      { ticker: 'A', key: 1 },
      { ticker: 'B', key: 2 },
    ])
    let looked = 0
    const big = ({ key }: { key: number | null }) => {
      looked += 1
      return (key ?? 0) > 1
    }
    const tickers = (filter: string, keep: typeof big) =>
      views.select('key', 'asc', filter, keep).map(({ row }) => row.ticker)
    expect(tickers('big', big)).toEqual(['B'])
    expect(tickers('big', big)).toEqual(['B'])
    expect(looked).toBe(2)
    expect(tickers('all', () => true)).toEqual(['A', 'B'])
  })
})
