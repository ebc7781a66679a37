import { describe, expect, it } from 'vitest'
import type { PlacedMark } from '../mark-kinds.ts'
import {
  barAt,
  callsOf,
  chartOf,
  COLOURS,
  FIRST_BAR,
  layerOnChart,
  yOf,
} from '../../testing/recorded-canvas.ts'
import type { Drawing, NewDrawing } from './drawing.ts'
import { DrawingsLayer } from './drawings-layer.ts'
import { FillsLayer, type OwnFill } from './fills-layer.ts'
import { PriceLinesLayer, StudyPaneLayer } from './line-layers.ts'
import { OverlayLayers } from './overlay-layers.ts'
import { OverlayLines, spanOfLines, type OverlayLine } from './overlay-lines.ts'
import { VolumeProfileLayer } from './volume-profile-layer.ts'

const BARS = [barAt(0), barAt(1)]
const timeAt = (bar: number) => FIRST_BAR + 60 * bar
const starting = (calls: readonly string[], ...starts: readonly string[]) =>
  calls.filter((call) => starts.some((start) => call.startsWith(start)))

describe('own fills [terminal.chart.marks]', () => {
  const fill = (more: Partial<OwnFill>): OwnFill => ({
    id: 'f',
    time: timeAt(2),
    price: 40,
    side: 'yes',
    action: 'buy',
    ...more,
  })
  const drawn = (fills: readonly OwnFill[]) => {
    const placed: (readonly PlacedMark[])[] = []
    const parts = layerOnChart(new FillsLayer((places) => void placed.push(places)))
    parts.layer.colour(COLOURS)
    parts.layer.draw(BARS)
    parts.layer.show(fills)
    return { ...parts, placed }
  }

  it('point up for a purchase and down for a sale, in the colour of their side', () => {
    const { calls, attached } = drawn([fill({}), fill({ side: 'no', action: 'sell', price: 50 })])
    expect(attached[0]?.zOrder()).toBe('top')
    expect(starting(calls(), 'fillStyle', 'moveTo', 'lineTo', 'fill', 'stroke ')).toEqual([
      'fillStyle=up',
      'moveTo 20 55',
      'lineTo 26 65',
      'lineTo 14 65',
      'fill',
      'fillStyle=down',
      'moveTo 20 55',
      'lineTo 26 45',
      'lineTo 14 45',
      'fill',
    ])
  })

  it('report where they are when that changes, within the chart only', () => {
    const at = (bar: number, price: number) =>
      fill({ id: `${bar} ${price}`, time: timeAt(bar), price })
    const corners = [at(0, 100), at(10, 0)]
    const beyond = [at(-0.1, 40), at(10.1, 40), at(5, 101), at(5, -1)]
    const { layer, calls, attached, placed } = drawn([...corners, ...beyond])
    calls()
    calls()
    expect(placed).toEqual([
      [
        { id: '0 100', x: 0, y: 0 },
        { id: '10 0', x: 100, y: 100 },
      ],
    ])
    layer.detach()
    expect([placed.at(-1), attached]).toEqual([[], []])
    layer.show([])
    expect(placed).toHaveLength(2)
  })

  it('have no place until two bars give the axis, and until there are colours', () => {
    const { layer, calls } = drawn([fill({})])
    layer.draw([barAt(0)])
    expect(calls()).toEqual([])
    const plain = layerOnChart(new FillsLayer(() => {}))
    plain.layer.draw(BARS)
    plain.layer.show([fill({})])
    expect(plain.calls()).toEqual([])
    expect(plain.updates()).toBe(2)
  })
})

describe('drawings [terminal.chart.drawings]', () => {
  const from = { time: timeAt(1), price: 20 }
  const to = { time: timeAt(3), price: 40 }
  const drawn = (shapes: readonly Drawing[], draft: NewDrawing | null = null) => {
    const parts = layerOnChart(new DrawingsLayer())
    parts.layer.colour(COLOURS)
    parts.layer.draw(BARS)
    parts.layer.show(shapes, draft)
    return parts
  }
  const span = (kind: 'trend' | 'range' | 'measure', end = to): Drawing => ({
    id: kind,
    kind,
    from,
    to: end,
  })
  const SHAPES = /^(moveTo|lineTo|fillRect|strokeRect|arc|fillText|globalAlpha|textAlign)/
  const shape = (drawing: Drawing) =>
    drawn([drawing])
      .calls()
      .filter((call) => SHAPES.test(call))

  it('of a trend are a line, which is sharp when it is flat', () => {
    expect(shape(span('trend'))).toEqual(['moveTo 10 80', 'lineTo 30 60'])
    expect(shape(span('trend', { ...to, price: 20.25 }))).toEqual([
      'moveTo 10 80.5',
      'lineTo 30 80.5',
    ])
    expect(shape(span('trend', { ...to, price: 20.5 }))).toEqual(['moveTo 10 80', 'lineTo 30 79.5'])
    expect(shape(span('trend', { ...to, price: -1 }))).toEqual([])
  })

  const area = [
    'globalAlpha=0.14',
    'fillRect 10 80 20 -20',
    'globalAlpha=1',
    'strokeRect 10 80 20 -20',
  ]
  it('of a range are an area with an outline', () => {
    expect(shape(span('range'))).toEqual(area)
  })

  it('of a move have its size beside the end, above when it rises and below when it falls', () => {
    expect(shape(span('measure'))).toEqual([
      ...area,
      'moveTo 20 80',
      'lineTo 20 60',
      'textAlign=center',
      'fillText +20.0¢ (+100%) in 2m 20 54',
      'textAlign=left',
    ])
    expect(shape(span('measure', { ...to, price: 10 })).at(-2)).toMatch(/in 2m 20 104$/)
  })

  it('of a text are a dot with the words beside it', () => {
    const text: Drawing = { id: 't', kind: 'text', at: to, text: 'CPI' }
    expect(shape(text)).toEqual([`arc 30 60 2.5 0 ${2 * Math.PI}`, 'fillText CPI 36 64'])
    expect(shape({ ...text, at: { ...to, price: -1 } })).toEqual([])
  })

  it('in progress are dashed, and a level crosses the whole chart', () => {
    const level: Drawing = { id: 'l', kind: 'level', price: 30 }
    expect(starting(drawn([level]).calls(), 'moveTo')).toEqual([])
    const calls = drawn([], { kind: 'level', price: 30 }).calls()
    expect(starting(calls, 'setLineDash', 'strokeStyle', 'moveTo', 'lineTo')).toEqual([
      'setLineDash 4,3',
      'strokeStyle=text',
      'moveTo 0 70',
      'lineTo 100 70',
    ])
    const trend = drawn([span('trend')], { kind: 'trend', from, to }).calls()
    expect(starting(trend, 'setLineDash', 'strokeStyle', 'moveTo')).toEqual([
      'strokeStyle=event',
      'moveTo 10 80',
      'setLineDash 4,3',
      'strokeStyle=text',
      'moveTo 10 80',
    ])
  })

  it('lie on top, and are gone with the layer', () => {
    const { layer, attached, calls, updates } = drawn([span('trend')])
    expect([attached[0]?.zOrder(), updates()]).toEqual(['top', 3])
    layer.draw([])
    expect(calls()).toEqual([])
    layer.detach()
    expect(attached).toEqual([])
  })
})

const line = (
  values: readonly (number | null)[],
  more: Partial<OverlayLine> = {},
): OverlayLine => ({
  id: 'l',
  label: 'Line',
  colour: 0,
  dash: [],
  isStepped: false,
  values,
  isLabelled: false,
  ...more,
})

it.each([
  [[[5, 9, null, 2]], 0, 3, { low: 2, high: 9 }],
  [[[5, 9, null, 2]], -4, 1, { low: 5, high: 9 }],
  [[[5, 9, null, 2]], 2, 2, null],
  [[[5, 9], [1]], 1, 9, { low: 9, high: 9 }],
  [[[5], [7]], 0, 0, { low: 5, high: 7 }],
  [[], 0, 9, null],
])('lines %j from %i to %i span %j', (lines, from, to, span) => {
  expect(
    spanOfLines(
      lines.map((values) => ({ values })),
      from,
      to,
    ),
  ).toEqual(span)
})

describe('lines on the axis of the price [terminal.chart.compare]', () => {
  const drawn = (lines: readonly OverlayLine[], range?: { from: number; to: number }) => {
    const parts = layerOnChart(new PriceLinesLayer((cents) => `${cents}¢`), range)
    parts.layer.colour(COLOURS)
    parts.layer.show(lines)
    return parts
  }
  const traced = (lines: readonly OverlayLine[], range?: { from: number; to: number }) =>
    starting(drawn(lines, range).calls(), 'moveTo', 'lineTo')

  it('join the middles of bars, with gaps, and a single value is a dash', () => {
    expect(traced([line([40, 50, null, 60, null])])).toEqual([
      'moveTo 5 60',
      'lineTo 15 50',
      'moveTo 35 40',
      'lineTo 45 40',
    ])
    expect(traced([line([-1, 50])])).toEqual(['moveTo 15 50', 'lineTo 25 50'])
  })

  it('hold a value until the next bar as steps', () => {
    expect(traced([line([40, 50], { isStepped: true })])).toEqual([
      'moveTo 0 60',
      'lineTo 10 60',
      'lineTo 10 50',
      'lineTo 20 50',
    ])
  })

  it('reach one bar beyond the view', () => {
    const values = Array.from({ length: 12 }, (_, index) => index)
    expect(traced([line(values)], { from: 3.4, to: 5.2 })).toEqual([
      'moveTo 25 98',
      'lineTo 35 97',
      'lineTo 45 96',
      'lineTo 55 95',
      'lineTo 65 94',
      'lineTo 75 93',
    ])
  })

  it('have the colours of the theme in its order, their dash, and a label of the newest value', () => {
    const lines = [
      line([40, null], { isLabelled: true, dash: [7, 3] }),
      line([50], { colour: 1 }),
      line([60, -1], { colour: 2, isLabelled: true }),
      line([null], { isLabelled: true }),
    ]
    const { attached, calls } = drawn(lines)
    expect(starting(calls(), 'strokeStyle', 'setLineDash').slice(0, 6)).toEqual([
      'strokeStyle=first',
      'setLineDash 7,3',
      'strokeStyle=second',
      'setLineDash',
      'strokeStyle=first',
      'setLineDash',
    ])
    const labels = (attached[0] as OverlayLines).priceAxisViews()
    expect(
      labels.map((label) => [
        label.coordinate(),
        label.text(),
        label.textColor(),
        label.backColor(),
      ]),
    ).toEqual([
      [60, '40¢', 'background', 'first'],
      [-100, '-1¢', 'background', 'first'],
    ])
  })

  it('widen the axis, lie above the grid, and are gone with the layer', () => {
    const { layer, attached, calls, updates } = drawn([line([40, 50])])
    expect(layer.spanOf(1, 5)).toEqual({ low: 50, high: 50 })
    expect(attached[0]?.zOrder()).toBe('normal')
    const before = updates()
    layer.draw()
    expect(updates()).toBe(before + 1)
    layer.detach()
    expect([attached, calls()]).toEqual([[], []])
    const uncoloured = layerOnChart(new PriceLinesLayer(String))
    uncoloured.layer.show([line([1, 2])])
    expect(uncoloured.calls()).toEqual([])
  })
})

describe('a pane of its own below the price [terminal.chart.studies]', () => {
  const shownPane = (range: { low: number; high: number } | null) => {
    const series = {
      data: [] as object[],
      options: [] as object[],
      drawings: [] as OverlayLines[],
      provider: (): object | null => null,
    }
    const removed: unknown[] = []
    const api = {
      attachPrimitive: (drawing: OverlayLines) => void series.drawings.push(drawing),
      priceScale: () => ({ applyOptions: (options: object) => void series.options.push(options) }),
      priceToCoordinate: yOf,
      setData: (data: object[]) => void (series.data = data),
    }
    const parts = {
      chart: {
        timeScale: () => ({ getVisibleLogicalRange: () => ({ from: 0.5, to: 1.5 }) }),
        addPane: () => ({
          addSeries(_kind: unknown, options: { autoscaleInfoProvider: () => object | null }) {
            series.provider = options.autoscaleInfoProvider
            return api
          },
          setStretchFactor: () => {},
        }),
        removeSeries: (one: unknown) => void removed.push(one),
      },
      price: null,
      yOf,
    }
    const layer = new StudyPaneLayer({ title: 'RSI 14', guides: [30, 70], range, text: String })
    layer.attach(parts as never)
    layer.colour(COLOURS)
    layer.show([line([10, null, 90]), line([200, 300])])
    layer.draw([barAt(0), barAt(1), barAt(2), barAt(3)])
    return { layer, series, api, removed }
  }

  it('has the values of its first line for the crosshair', () => {
    expect(shownPane(null).series.data).toEqual([
      { time: timeAt(0), value: 10 },
      { time: timeAt(1) },
      { time: timeAt(2), value: 90 },
      { time: timeAt(3) },
    ])
  })

  it('has the stated axis, or one that fits what is in view', () => {
    const axis = (low: number, high: number) => ({ priceRange: { minValue: low, maxValue: high } })
    expect(shownPane({ low: 0, high: 100 }).series.provider()).toEqual(axis(0, 100))
    const { layer, series } = shownPane(null)
    expect(series.provider()).toEqual(axis(10, 300))
    layer.show([])
    expect(series.provider()).toBeNull()
  })

  it('is removed with its series', () => {
    const { layer, api, removed, series } = shownPane(null)
    expect(series.options).toContainEqual({ borderColor: 'line' })
    layer.detach()
    layer.detach()
    expect(removed).toEqual([api])
  })
})

it('a title and guides are drawn across the pane', () => {
  const lines = new OverlayLines(yOf, { title: 'RSI 14', guides: [30, -1], text: String })
  lines.attached(chartOf().attached)
  lines.colour({ colours: ['first'], background: '', text: 'text', font: 'Sans' })
  expect(callsOf(lines)).toEqual([
    'save',
    'strokeStyle=text',
    'globalAlpha=0.45',
    'lineWidth=1',
    'setLineDash 2,4',
    'beginPath',
    'moveTo 0 70.5',
    'lineTo 100 70.5',
    'stroke',
    'globalAlpha=1',
    'lineWidth=1.5',
    'lineJoin=round',
    'font=11px Sans',
    'fillStyle=text',
    'textBaseline=top',
    'fillText RSI 14 10 4',
    'restore',
  ])
})

describe('the volume profile [terminal.chart.studies]', () => {
  const traded = (index: number, price: number, volume: number) =>
    barAt(index, {
      candle: { t: 0, at: '', o: price, h: price, l: price, c: price, v: volume },
    })
  const drawn = (range?: { from: number; to: number }) => {
    const parts = layerOnChart(new VolumeProfileLayer(), range)
    parts.layer.colour(COLOURS)
    parts.layer.draw([traded(0, 40, 100), traded(1, 50, 25), traded(2, 60, 900)])
    return parts
  }

  it('has bars at the right edge by volume, of the bars in view', () => {
    const rects = starting(drawn({ from: 0, to: 1 }).calls(), 'fillRect', 'fillStyle')
    expect(rects).toEqual([
      'fillStyle=upSoft',
      'fillRect 78 59 22 1',
      'fillStyle=priceSoft',
      'fillRect 94.5 49 5.5 1',
    ])
    expect(starting(drawn({ from: 1.5, to: 2.9 }).calls(), 'fillRect')).toEqual([
      'fillRect 78 39 22 1',
    ])
  })

  it('is empty without trades in view, and gone with the layer', () => {
    expect(drawn({ from: 5, to: 9 }).calls()).toEqual([])
    const { layer, attached, updates } = drawn()
    expect([attached[0]?.zOrder(), updates()]).toEqual(['bottom', 2])
    layer.detach()
    expect(attached).toEqual([])
  })
})

describe('the layers of a plan', () => {
  const setUp = () => {
    const log: string[] = []
    const layers = new OverlayLayers({
      addLayer: (layer: object) => {
        log.push(`add ${layer.constructor.name}`)
        return () => log.push(`remove ${layer.constructor.name}`)
      },
    } as never)
    return { layers, log }
  }

  it('stay while the plan has them, and are removed once', () => {
    const { layers, log } = setUp()
    const none = { priceLines: [], panes: [], hasProfile: false }
    layers.show(none)
    expect(log).toEqual([])
    layers.show({ ...none, hasProfile: true })
    layers.show({ ...none, hasProfile: true })
    expect(log.splice(0)).toEqual(['add VolumeProfileLayer'])
    layers.show(none)
    expect(log.splice(0)).toEqual(['remove VolumeProfileLayer'])
    layers.show({ ...none, hasProfile: true })
    layers.remove()
    layers.remove()
    expect(log.splice(0)).toEqual(['add VolumeProfileLayer', 'remove VolumeProfileLayer'])
    // Another plan begins without them.
    layers.show({ ...none, hasProfile: true })
    expect(log).toEqual(['add VolumeProfileLayer'])
  })
})
