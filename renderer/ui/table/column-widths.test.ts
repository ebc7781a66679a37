import { describe, expect, it } from 'vitest'
import fc, { scaled } from '../../../scripts/properties.ts'
import { columnLayout } from './column-widths.ts'

interface Shape {
  readonly id: string
  readonly width: number
  readonly flexible?: boolean
  readonly numeric?: boolean
  readonly hidePriority?: number
}
const columns: readonly Shape[] = [
  { id: 'name', width: 100, flexible: true },
  { id: 'price', width: 50, numeric: true },
  { id: 'bid', width: 50, numeric: true, hidePriority: 2 },
  { id: 'ask', width: 50, numeric: true, hidePriority: 2 },
  { id: 'note', width: 50, hidePriority: 1 },
]
const NOTHING: ReadonlyMap<string, number> = new Map()
const ids = (width: number, scale: number, measured = NOTHING) =>
  columnLayout(columns, width, scale, measured).columns.map(({ id }) => id)
const widthsAt = (width: number, measured: ReadonlyMap<string, number>) => {
  const { columns: kept, widths } = columnLayout(columns, width, 1, measured)
  return Object.fromEntries(kept.map(({ id }, index) => [id, widths[index]]))
}

describe('columnLayout', () => {
  it.each([
    [300, 1, ['name', 'price', 'bid', 'ask', 'note']],
    [299, 1, ['name', 'price', 'note']],
    [199, 1, ['name', 'price']],
    [10, 1, ['name', 'price']],
    [300, 2, ['name', 'price']],
  ])('keeps at %s px and scale %s the columns that fit', (width, scale, kept) => {
    expect(ids(width, scale)).toEqual(kept)
  })

  it('keeps more columns when their content is narrow, and fewer when it is wide', () => {
    expect(
      ids(
        250,
        1,
        new Map([
          ['bid', 24],
          ['ask', 24],
        ]),
      ),
    ).toContain('ask')
    expect(ids(300, 1, new Map([['price', 60]]))).not.toContain('ask')
  })

  it('shows short texts whole before it lengthens a title', () => {
    const times = new Map([
      ['name', 400],
      ['note', 70],
    ])
    expect(widthsAt(330, times)).toMatchObject({ note: 70, name: 110 })
    expect(widthsAt(310, times)).toMatchObject({ note: 60, name: 100 })
  })

  it('never shortens figures; text is shortened only when no space is left', () => {
    const measured = new Map([
      ['name', 400],
      ['price', 72],
      ['bid', 40],
      ['ask', 40],
      ['note', 40],
    ])
    expect(widthsAt(592, measured)).toEqual({ name: 400, price: 72, bid: 40, ask: 40, note: 40 })
    expect(widthsAt(492, measured)).toEqual({ name: 300, price: 72, bid: 40, ask: 40, note: 40 })
  })

  it('shortens the flexible text before a column that may not be hidden', () => {
    const measured = new Map([
      ['name', 200],
      ['price', 72],
    ])
    expect(widthsAt(150, measured)).toEqual({ name: 78, price: 72 })
    expect(widthsAt(60, measured)).toEqual({ name: 24, price: 36 })
  })

  it('stops growing at a readable width', () => {
    const widths = widthsAt(4_000, new Map([['name', 200]]))
    expect(widths['name']).toBeLessThan(600)
    expect(Object.values(widths).reduce((sum = 0, own = 0) => sum + own, 0)).toBeLessThan(1_000)
  })

  it('has 28 px more between the columns of a wide table, by its scale', () => {
    const wide = new Map([['name', 200]])
    expect(widthsAt(4_000, wide)).toEqual({ name: 588, price: 78, bid: 78, ask: 78, note: 78 })
    expect(columnLayout(columns, 4_000, 2, wide).widths).toEqual([1_176, 156, 156, 156, 156])
    // The spare width is shared until then.
    expect(widthsAt(860, wide)).toEqual({ name: 580, price: 70, bid: 70, ask: 70, note: 70 })
  })

  it.each([
    { note: 140, widths: [100, 140] },
    { note: 141, widths: [169, 70] },
  ])('a text of $note px beside a title has $widths px', ({ note, widths }) => {
    const two = [
      { id: 'name', width: 100, flexible: true },
      { id: 'note', width: 50 },
    ]
    const measured = new Map([
      ['name', 400],
      ['note', note],
    ])
    expect(columnLayout(two, 240, 1, measured).widths).toEqual(widths)
  })

  it('shortens a column of figures that may be shortened', () => {
    const shape = { id: 'a', width: 50, numeric: true }
    const measured = new Map([['a', 90]])
    const others = [{ id: 'b', width: 50, numeric: true }]
    expect(
      columnLayout([{ ...shape, shortens: true }, ...others], 100, 1, measured).widths,
    ).toEqual([50, 50])
    expect(columnLayout([shape, ...others], 140, 1, measured).widths).toEqual([90, 50])
  })

  it('has columns of no width without space', () => {
    expect(columnLayout(columns, 0, 1, NOTHING).widths).toEqual([0, 0])
    expect(columnLayout([], 300, 1, NOTHING)).toEqual({ columns: [], widths: [] })
  })

  it('never exceeds its width, nor leaves text cut beside free space', () => {
    const content = fc.record({
      name: fc.integer({ min: 20, max: 900 }),
      note: fc.integer({ min: 20, max: 300 }),
      price: fc.integer({ min: 20, max: 120 }),
    })
    fc.assert(
      fc.property(content, fc.integer({ min: 40, max: 3_000 }), (natural, width) => {
        const measured = new Map(Object.entries(natural))
        const { columns: kept, widths } = columnLayout(columns, width, 1, measured)
        const total = widths.reduce((sum, own) => sum + own, 0)
        expect(total).toBeLessThanOrEqual(width)
        const isCut = kept.some(
          ({ id }, index) => (widths[index] ?? 0) + 1 < (measured.get(id) ?? 0),
        )
        if (isCut) expect(width - total).toBeLessThanOrEqual(kept.length)
      }),
      { numRuns: scaled(100) },
    )
  })
})
