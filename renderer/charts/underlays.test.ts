import { describe, expect, it } from 'vitest'
import { barAt, callsOf, chartOf, FIRST_BAR, yOf } from '../testing/recorded-canvas.ts'
import type { ChartBar } from './chart-bars.ts'
import type { ChartType } from './chart-types.ts'
import { GapBands } from './gap-bands.ts'
import { PriceLine } from './price-line.ts'
import { PrintDots, radiusOf, type Print } from './print-dots.ts'
import type { Underlay } from './underlay.ts'

const starting = (calls: readonly string[], ...starts: readonly string[]) =>
  calls.filter((call) => starts.some((start) => call.startsWith(start)))

it('what is drawn at once updates the chart, and nothing is drawn without one', () => {
  const line = new PriceLine(yOf)
  const bands = new GapBands()
  const dots = new PrintDots(yOf)
  const { attached, updates } = chartOf()
  const counts: number[] = []
  const count = (drawing: Underlay, ...acts: readonly (() => void)[]) => {
    drawing.attached(attached)
    for (const act of acts) {
      const before = updates()
      act()
      counts.push(updates() - before)
    }
    drawing.detached()
    acts.at(-1)?.()
    expect(callsOf(drawing)).toEqual([])
  }
  count(
    line,
    () => line.colour({ line: '', old: '', fill: '', band: '' }),
    () => line.show([barAt(0, { price: 1 })], { type: 'step', isComparing: false }),
  )
  count(
    bands,
    () => bands.colour('gap'),
    () => bands.setGaps([{ from: FIRST_BAR, to: FIRST_BAR }]),
  )
  count(
    dots,
    () => dots.colour({ yes: '', no: '', unknown: '' }),
    () => dots.measure({ start: FIRST_BAR, seconds: 60 }),
    () => dots.hide(false),
    () => dots.show([]),
  )
  expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  expect([line, bands, dots].map((drawing) => drawing.zOrder())).toEqual([
    'normal',
    'bottom',
    'normal',
  ])
})

interface Options {
  type?: ChartType
  isComparing?: boolean
  range?: { from: number; to: number }
}

describe('the price line', () => {
  const colours = { line: 'line', old: 'old', fill: 'fill', band: 'band' }
  const drawn = (
    bars: readonly Partial<ChartBar>[],
    { type = 'step', isComparing = false, range = { from: 0, to: 9 } }: Options = {},
  ) => {
    const line = new PriceLine(yOf)
    line.attached(chartOf(range).attached)
    line.colour(colours)
    line.show(
      bars.map((bar, index) => barAt(index, bar)),
      { type, isComparing },
    )
    return callsOf(line)
  }
  const path = (calls: readonly string[]) =>
    calls.filter((call) => /^(moveTo|lineTo|stroke$)/.test(call))

  it('steps from bar to bar, and a bar without a price leaves a gap', () => {
    expect(drawn([{ price: 40 }, { price: 50 }, {}, { price: 0 }])).toEqual([
      'save',
      'fillStyle=band',
      'lineWidth=1.5',
      'lineJoin=round',
      'strokeStyle=line',
      'setLineDash',
      'beginPath',
      'moveTo 0 60',
      'lineTo 10 60',
      'lineTo 10 50',
      'lineTo 20 50',
      'stroke',
      'strokeStyle=line',
      'setLineDash',
      'beginPath',
      'moveTo 30 100',
      'lineTo 40 100',
      'stroke',
      'restore',
    ])
  })

  it('joins the middles of the bars as a line, and a single bar is a dash', () => {
    expect(
      path(drawn([{ price: 40 }, { price: 50 }, {}, { price: 60 }], { type: 'line' })),
    ).toEqual(['moveTo 5 60', 'lineTo 15 50', 'stroke', 'moveTo 35 40', 'lineTo 40 40', 'stroke'])
  })

  it('is dashed from the bar before, where the price is old', () => {
    const calls = drawn([{ price: 40 }, { price: 40, isOld: true }, { price: 45 }])
    expect(starting(calls, 'strokeStyle', 'setLineDash', 'moveTo', 'lineTo')).toEqual([
      'strokeStyle=line',
      'setLineDash',
      'moveTo 0 60',
      'lineTo 10 60',
      'strokeStyle=old',
      'setLineDash 3,3',
      'moveTo 0 60',
      'lineTo 10 60',
      'lineTo 10 60',
      'lineTo 20 60',
      'strokeStyle=line',
      'setLineDash',
      'moveTo 10 60',
      'lineTo 20 60',
      'lineTo 20 55',
      'lineTo 30 55',
    ])
  })

  it.each(['candles', 'mid-candles'] as const)('is thin and pale behind %s', (type) => {
    expect(starting(drawn([{ price: 40 }], { type }), 'lineWidth', 'strokeStyle')).toEqual([
      'lineWidth=1',
      'strokeStyle=old',
    ])
  })

  it('fills the spread between bid and ask, at least one pixel high, unless it compares', () => {
    const quoted = [{ bid: 40, ask: 45 }, { bid: 40 }, { ask: 45 }, { bid: 50, ask: 50 }]
    expect(starting(drawn(quoted), 'fillRect')).toEqual([
      'fillRect 0 55 10 5',
      'fillRect 30 50 10 1',
    ])
    expect(starting(drawn(quoted, { isComparing: true }), 'fill')).toEqual([])
  })

  it('is filled to the bottom as an area', () => {
    const calls = drawn([{ price: 40 }, {}, { price: 70 }], { type: 'area' })
    expect(starting(calls, 'fill')).toEqual([
      'fillStyle=band',
      'fillStyle=fill',
      'fillRect 0 60 10 40',
      'fillRect 20 30 10 70',
    ])
  })

  it('draws one bar more at either side of the view', () => {
    const bars = Array.from({ length: 12 }, (_, index) => ({ price: index }))
    const calls = path(drawn(bars, { type: 'line', range: { from: 3.4, to: 5.2 } }))
    expect(calls).toEqual([
      'moveTo 25 98',
      'lineTo 35 97',
      'lineTo 45 96',
      'lineTo 55 95',
      'lineTo 65 94',
      'lineTo 75 93',
      'stroke',
    ])
  })
})

describe('bands of feed gaps', () => {
  const gaps = [
    { from: FIRST_BAR + 60, to: FIRST_BAR + 60 },
    { from: FIRST_BAR - 60, to: FIRST_BAR },
    { from: FIRST_BAR + 600, to: FIRST_BAR + 720 },
  ]
  const bands = () => {
    const drawing = new GapBands()
    drawing.attached(chartOf().attached)
    drawing.colour('gap')
    drawing.setGaps(gaps)
    return drawing
  }

  it('are found at the times of their slots', () => {
    const [from, to] = [FIRST_BAR + 600, FIRST_BAR + 720]
    const found = [from - 1, from, from + 30, to, to + 1].map((time) => bands().at(time))
    expect(found).toEqual([null, gaps[2], gaps[2], gaps[2], null])
  })

  it('are hatched over whole bars inside the chart, aligned to it, without those out of its range', () => {
    const calls = callsOf(bands())
    expect(calls.slice(0, 8)).toEqual([
      'strokeStyle=gap',
      'lineWidth=1',
      'save',
      'beginPath',
      'rect 10 0 10 100',
      'clip',
      'beginPath',
      'moveTo 6 0',
    ])
    expect(calls.slice(8, 10)).toEqual(['lineTo -94 100', 'moveTo 12 0'])
    expect(starting(calls, 'moveTo').at(-1)).toBe('moveTo 114 0')
    expect(calls.slice(-2)).toEqual(['stroke', 'restore'])
    expect(starting(calls, 'rect')).toHaveLength(1)
  })

  it('keep their size on screens of more pixels', () => {
    expect(starting(callsOf(bands(), 2), 'rect', 'lineWidth', 'moveTo').slice(0, 4)).toEqual([
      'lineWidth=2',
      'rect 20 0 20 200',
      'moveTo 12 0',
      'moveTo 24 0',
    ])
  })

  it('that begin before the chart are cut at its edge', () => {
    const drawing = bands()
    drawing.setGaps([{ from: FIRST_BAR, to: FIRST_BAR + 6_000 }])
    expect(starting(callsOf(drawing), 'rect')).toEqual(['rect 0 0 100 100'])
  })
})

describe('dots of trades', () => {
  const print = (place: number, more: Partial<Print> = {}): Print => ({
    id: '',
    time: FIRST_BAR + place * 60,
    price: 40,
    size: 0,
    side: 'yes',
    ...more,
  })
  const drawn = (prints: readonly Print[], isHidden = false) => {
    const dots = new PrintDots(yOf)
    dots.attached(chartOf().attached)
    dots.colour({ yes: 'yes', no: 'no', unknown: 'unknown' })
    dots.measure({ start: FIRST_BAR, seconds: 60 })
    dots.show(prints)
    dots.hide(isHidden)
    return callsOf(dots)
  }

  it('grow in area with the size, up to a limit', () => {
    expect([-5, 0, 500, 2_000, 9_000].map(radiusOf)).toEqual([1.5, 1.5, 3.25, 5, 5])
  })

  it('are filled for a taker of YES, hollow for one of NO or an unknown one', () => {
    const full = 2 * Math.PI
    const prints = [print(1.5), print(2, { side: 'no' }), print(3, { side: null, size: 2_000 })]
    expect(drawn(prints)).toEqual([
      'save',
      'lineWidth=1',
      'beginPath',
      `arc 15 60 1.5 0 ${full}`,
      'fillStyle=yes',
      'fill',
      'beginPath',
      `arc 20 60 1.5 0 ${full}`,
      'strokeStyle=no',
      'stroke',
      'beginPath',
      `arc 30 60 5 0 ${full}`,
      'strokeStyle=unknown',
      'stroke',
      'restore',
    ])
  })

  it('outside of the chart are left out, once none of them is in view', () => {
    const places = [-0.6, -0.5, 10.5, 10.6].map((place) => print(place))
    expect(starting(drawn([...places, print(5, { price: -1 })]), 'arc')).toHaveLength(2)
    expect(drawn([print(1)], true)).toEqual([])
  })
})
