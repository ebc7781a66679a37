import '../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COLOURS } from '../testing/recorded-canvas.ts'
import type { ChartBar } from './chart-bars.ts'
import type { ChartLayer } from './layers/chart-layer.ts'
import { chartColours, LINE_TOKENS } from './colours.ts'
import { drawingsIn, pictureOf } from './picture.ts'
import { drawPriceChart, type PriceChartEvents } from './price-chart.ts'
import type { Print } from './print-dots.ts'
import type { DrawnLines, LinesPlan } from './time-lines.ts'

/** The libraries draw for real; only the canvas and the layout of the page are missing. */
const SIZE = { width: 600, height: 400 }
class SizedObserver {
  readonly #seen: ResizeObserverCallback
  constructor(seen: ResizeObserverCallback) {
    this.#seen = seen
  }
  observe(target: Element): void {
    const entry = { target, contentRect: SIZE } as unknown as ResizeObserverEntry
    setTimeout(() => this.#seen([entry], this))
  }
  unobserve(): void {
    return
  }
  disconnect(): void {
    return
  }
}

/** A context that returns what was set, measures text and records every call. */
function canvasContext(calls: string[]): object {
  const values: Record<string, unknown> = {}
  const known: Record<string, unknown> = {
    canvas: document.createElement('canvas'),
    measureText: (text: string) => ({
      width: text.length * 6,
      actualBoundingBoxAscent: 8,
      actualBoundingBoxDescent: 2,
    }),
  }
  return new Proxy(values, {
    get: (_target, name) => {
      const key = String(name)
      if (key in known) return known[key]
      if (key in values) return values[key]
      return (...args: readonly unknown[]) => {
        calls.push(`${key} ${args.join(' ')}`.trim())
        return { addColorStop: () => {} }
      }
    },
    set: (_target, name, value) => {
      values[String(name)] = value
      calls.push(`${String(name)}=${String(value)}`)
      return true
    },
  })
}

const calls: string[] = []
beforeEach(() => {
  calls.length = 0
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('ResizeObserver', SizedObserver)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }))
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo(): void {
        return
      }
      lineTo(): void {
        return
      }
      rect(): void {
        return
      }
      arc(x: number, y: number): void {
        calls.push(`dot ${Math.round(x)} ${Math.round(y)}`)
      }
    },
  )
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(SIZE.height)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(SIZE.width)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvasContext(calls) as never)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const HOUR = 3_600
const START = 100 * HOUR
const bar = (place: number, more: Partial<ChartBar> = {}): ChartBar => ({
  time: START + place * HOUR,
  candle: null,
  bid: null,
  ask: null,
  mid: null,
  price: 40 + (place % 3),
  source: 'mid',
  isOld: false,
  ...more,
})
const barsFrom = (
  from: number,
  to: number,
  more: (place: number) => Partial<ChartBar> = () => ({}),
) => Array.from({ length: to - from }, (_, index) => bar(from + index, more(from + index)))

/** A chart of fifty bars from 40 to 42¢, the newest thirty in view. */
async function chartOf(bars: readonly ChartBar[] = barsFrom(0, 50)) {
  const host = document.createElement('div')
  document.body.append(host)
  const seen = {
    hovered: [] as unknown[],
    pointed: [] as (number | null)[],
    oldest: 0,
    ranges: [] as object[],
    placed: [] as string[][],
  }
  const events: PriceChartEvents = {
    onhover: (hovered, gap) => seen.hovered.push([hovered?.time ?? null, gap]),
    onpoint: (time) => seen.pointed.push(time),
    onoldest: () => (seen.oldest += 1),
    onrange: (view) => seen.ranges.push(view),
    onplaced: (places) => seen.placed.push(places.map(({ id }) => id)),
  }
  const chart = drawPriceChart(host, events)
  await pass(50)
  chart.colour(COLOURS)
  chart.draw(bars)
  chart.showLast(30)
  await pass(50)
  /** What was drawn by an act. */
  const drawnBy = async (act: () => void) => {
    calls.length = 0
    act()
    await pass(50)
    return [...calls]
  }
  const texts = (drawn: readonly string[]) =>
    new Set(drawn.filter((call) => call.startsWith('fillText')).map((call) => call.split(' ')[1]))
  const range = () => seen.ranges.at(-1)
  const at = (from: number, to: number) => ({ from: START + from * HOUR, to: START + to * HOUR })
  return { chart, host, seen, drawnBy, texts, range, at, end: () => host.remove() }
}

describe('the chart of a price', () => {
  it('shows the newest bars, zooms at the newest and pans', async () => {
    const { chart, seen, range, at, end } = await chartOf()
    expect(range()).toEqual(at(20, 53))
    chart.zoom(2)
    await pass(50)
    expect(range()).toEqual(at(36.5, 53))
    chart.zoom(100)
    await pass(50)
    expect(range()).toEqual(at(45, 53))
    const before = seen.oldest
    chart.pan(-1)
    await pass(50)
    expect([range(), seen.oldest]).toEqual([at(37, 45), before])
    chart.pan(0.5)
    await pass(50)
    expect(range()).toEqual(at(41, 49))
    chart.pan(-3)
    await pass(50)
    // Nearer than twenty bars to the oldest one.
    expect([range(), seen.oldest]).toEqual([at(17, 25), before + 1])
    chart.reset()
    await pass(50)
    expect(range()).not.toEqual(at(17, 25))
    end()
  })

  it('follows the range of another chart without reporting it as the user’s', async () => {
    const { chart, seen, range, at, end } = await chartOf()
    const count = seen.ranges.length
    chart.showRange(at(25, 35))
    await pass(50)
    expect(seen.ranges).toHaveLength(count)
    chart.pan(0.05)
    await pass(50)
    expect(seen.ranges).toHaveLength(count)
    chart.pan(1)
    await pass(50)
    expect(range()).toEqual(at(35.5, 45.5))
    end()
  })

  it('has places of prices and times, and back', async () => {
    const { chart, end } = await chartOf()
    const newest = chart.positionAt(null)
    const place = chart.positionAt(START + 48 * HOUR)
    if (newest === null || place === null) throw new Error('no place')
    expect(chart.pointOf(newest.x, newest.y)).toEqual({ price: 41, time: START + 49.5 * HOUR })
    expect(chart.pointOf(place.x, place.y)).toEqual({ price: 40, time: START + 48.5 * HOUR })
    expect(place.x).toBeLessThan(newest.x)
    expect(place.y).toBeGreaterThan(newest.y)
    // Between two bars the earlier one.
    expect(chart.positionAt(START + 48.5 * HOUR)).toEqual(place)
    expect(chart.positionAt(START - HOUR)).toBeNull()
    expect(chart.pointOf(100, -9_000)?.price).toBe(100)
    expect(chart.pointOf(100, 9_000)?.price).toBe(0)
    expect(chart.timeBeside(null, -1)).toBe(START + 49 * HOUR)
    expect(chart.timeBeside(START + 10 * HOUR, -1)).toBe(START + 9 * HOUR)
    expect(chart.timeBeside(START, -1)).toBe(START)
    expect(chart.timeBeside(START + 49 * HOUR, 1)).toBe(START + 49 * HOUR)
    end()
  })

  it('is without places before it has bars', async () => {
    const { chart, end } = await chartOf([])
    expect([chart.positionAt(null), chart.pointOf(10, 10), chart.timeBeside(null, 0)]).toEqual([
      null,
      null,
      null,
    ])
    chart.showRange({ from: 0, to: 1 })
    chart.markLevels([])
    expect(chart.levelAt(10)).toBeNull()
    end()
  })

  it('reports the bar and the gap under the crosshair, and only the user’s moves', async () => {
    const { chart, host, seen, end } = await chartOf()
    const gap = { from: START + 44 * HOUR, to: START + 46 * HOUR }
    chart.markGaps([gap])
    chart.pointAt(START + 45 * HOUR)
    expect(seen.hovered.at(-1)).toEqual([START + 45 * HOUR, gap])
    chart.pointAt(START + 47.4 * HOUR)
    expect(seen.hovered.at(-1)).toEqual([START + 47 * HOUR, null])
    chart.pointAt(null)
    expect(seen.hovered.at(-1)).toEqual([null, null])
    await pass(50)
    expect(seen.pointed).toEqual([])
    const place = chart.positionAt(START + 47 * HOUR)
    const move = (type: string) => {
      for (const canvas of host.querySelectorAll('canvas')) {
        const point = { clientX: place?.x ?? 0, clientY: place?.y ?? 0 }
        canvas.dispatchEvent(new MouseEvent(type, { bubbles: true, ...point }))
      }
    }
    // Mouse events right after a touch are those of the touch.
    await pass(1_000)
    move('mouseenter')
    move('mousemove')
    await pass(50)
    expect(seen.pointed.at(-1)).toBe(START + 47 * HOUR)
    move('mouseleave')
    await pass(50)
    expect(seen.pointed.at(-1)).toBeNull()
    end()
  })

  it('updates its newest bars in place, and keeps the view when older ones come', async () => {
    const { chart, range, at, seen, end } = await chartOf()
    const before = chart.positionAt(null)
    chart.draw([...barsFrom(0, 49), bar(49, { price: 42 })])
    await pass(50)
    expect(chart.positionAt(null)?.y).toBeLessThan(before?.y ?? 0)
    chart.draw([...barsFrom(0, 49), bar(49, { price: 42 }), bar(50, { price: 41 })])
    await pass(50)
    expect(chart.timeBeside(null, 0)).toBe(START + 50 * HOUR)
    chart.pan(-0.5)
    await pass(50)
    const view = range()
    const count = seen.ranges.length
    chart.draw([...barsFrom(-20, 49), bar(49, { price: 42 }), bar(50, { price: 41 })])
    await pass(50)
    expect(seen.ranges.length).toBeGreaterThan(count)
    expect(range()).toEqual(view)
    expect(view).not.toEqual(at(20, 53))
    end()
  })

  it('writes prices by its scale, and in percent while it compares', async () => {
    const { chart, drawnBy, texts, end } = await chartOf()
    const style = { type: 'step', scale: 'auto', isComparing: false } as const
    expect([...texts(await drawnBy(() => chart.style(style)))]).toEqual(
      expect.arrayContaining(['39.0¢', '43.0¢']),
    )
    const fixed = texts(await drawnBy(() => chart.style({ ...style, scale: 'fixed' })))
    expect([...fixed]).toEqual(expect.arrayContaining(['0.0¢', '100.0¢']))
    const compared = texts(await drawnBy(() => chart.style({ ...style, isComparing: true })))
    expect([...compared].filter((text) => text?.endsWith('%')).length).toBeGreaterThan(3)
    expect([...compared].filter((text) => text?.endsWith('¢'))).toEqual([])
    chart.style({ ...style, scale: 'log-odds' })
    await pass(50)
    const place = chart.positionAt(null)
    expect(chart.pointOf(place?.x ?? 0, place?.y ?? 0)?.price).toBe(41)
    end()
  })

  it('draws its price as the style states, at once', async () => {
    const { chart, drawnBy, end } = await chartOf()
    const style = { type: 'step', scale: 'auto', isComparing: false } as const
    const parts = async (type: 'step' | 'line') =>
      (await drawnBy(() => chart.style({ ...style, type }))).filter((call) =>
        call.startsWith('lineTo'),
      ).length
    const counts = [await parts('step'), await parts('line'), await parts('step')] as const
    // A step has a corner in each bar.
    expect(counts[1]).toBeLessThan(counts[0])
    expect(counts[2]).toBe(counts[0])
    end()
  })

  it('marks levels, finds the nearest within reach, and the newest price', async () => {
    const { chart, drawnBy, end } = await chartOf()
    const levels = [
      { id: 'a', price: 40, label: '', kind: 'level' },
      { id: 'b', price: 42, label: 'Alert', kind: 'alert' },
    ] as const
    const drawn = await drawnBy(() => chart.markLevels(levels))
    expect(drawn.some((call) => call.startsWith('fillText Alert'))).toBe(true)
    expect(drawn).toContain('strokeStyle=event')
    const high = chart.positionAt(START + 47 * HOUR)?.y ?? 0
    expect(chart.levelAt(high)?.id).toBe('b')
    expect(chart.levelAt(high + 5)?.id).toBe('b')
    expect(chart.levelAt(high - 5)?.id).toBe('b')
    expect(chart.levelAt(high + 6)).toBeNull()
    const cleared = await drawnBy(() => chart.markLevels([]))
    expect(cleared.some((call) => call.startsWith('fillText Alert'))).toBe(false)
    // The newest price has a line of its own.
    expect(cleared).toContain('strokeStyle=edge')
    const unpriced = await drawnBy(() => chart.draw(barsFrom(0, 50, () => ({ price: null }))))
    expect(unpriced).not.toContain('strokeStyle=edge')
    end()
  })

  const traded = (place: number) => {
    const [o, c] = place % 2 === 0 ? [40, 42] : [42, 40]
    const time = START + place * HOUR
    return {
      candle: { t: time, at: '', o, h: 43, l: 39, c, v: 5 },
      mid: { o: 41, h: 44, l: 38, c: 40 },
    }
  }

  it('draws candles of trades or of midpoints, and volume by direction', async () => {
    const { chart, drawnBy, end } = await chartOf(barsFrom(0, 50, traded))
    const style = { type: 'step', scale: 'auto', isComparing: false } as const
    const step = await drawnBy(() => chart.style(style))
    expect(step).toEqual(expect.arrayContaining(['fillStyle=upSoft', 'fillStyle=downSoft']))
    expect(step).not.toContain('fillStyle=down')
    const candles = await drawnBy(() => chart.style({ ...style, type: 'candles' }))
    // Rising candles are hollow with an edge, falling ones filled.
    expect(candles).toEqual(expect.arrayContaining(['fillStyle=down', 'fillStyle=up']))
    const mids = await drawnBy(() => chart.style({ ...style, type: 'mid-candles' }))
    expect(mids).toContain('fillStyle=down')
    expect(mids).not.toContain('fillStyle=up')
    const quiet = await drawnBy(() => chart.draw(barsFrom(0, 50)))
    expect(quiet).not.toContain('fillStyle=upSoft')
    end()
  })

  it('draws trades as dots, except among others and many on candles', async () => {
    const { chart, drawnBy, end } = await chartOf()
    const print = (index: number): Print => ({
      id: `p${index}`,
      time: START + 40 * HOUR + index,
      price: 41,
      size: 5,
      side: 'yes',
    })
    const dots = (drawn: readonly string[]) => drawn.filter((call) => call.startsWith('arc')).length
    const prints = (count: number) => Array.from({ length: count }, (_, index) => print(index))
    const style = { type: 'step', scale: 'auto', isComparing: false } as const
    expect(dots(await drawnBy(() => chart.markPrints(prints(151))))).toBeGreaterThanOrEqual(151)
    expect(dots(await drawnBy(() => chart.style({ ...style, isComparing: true })))).toBe(0)
    expect(dots(await drawnBy(() => chart.style({ ...style, type: 'candles' })))).toBe(0)
    expect(dots(await drawnBy(() => chart.style({ ...style, type: 'mid-candles' })))).toBe(0)
    expect(dots(await drawnBy(() => chart.markPrints(prints(150))))).toBeGreaterThanOrEqual(150)
    end()
  })

  it('reports where its events are', async () => {
    const { chart, seen, end } = await chartOf()
    const instant = {
      id: 'e',
      time: START + 40 * HOUR,
      label: 'release',
      title: 'CPI',
      isMinor: false,
    }
    chart.markEvents([instant])
    await pass(50)
    expect(seen.placed.at(-1)).toEqual(['e'])
    end()
  })

  it('leaves room for a list of lines above the prices', async () => {
    const { chart, end } = await chartOf()
    const before = chart.positionAt(START + 47 * HOUR)?.y ?? 0
    chart.reserveTop(100)
    await pass(50)
    const after = chart.positionAt(START + 47 * HOUR)?.y ?? 0
    expect(after).toBeGreaterThan(before + 40)
    chart.reserveTop(0)
    await pass(50)
    expect(chart.positionAt(START + 47 * HOUR)?.y).toBeCloseTo(before)
    end()
  })

  it('draws layers, gives them room, and removes them once', async () => {
    const { chart, drawnBy, texts, host, end } = await chartOf()
    const log: string[] = []
    const layer: ChartLayer = {
      attach: ({ yOf }) => void log.push(`attach ${yOf(41) === null ? 'early' : 'placed'}`),
      detach: () => void log.push('detach'),
      colour: ({ price }) => void log.push(`colour ${price}`),
      draw: (bars) => void log.push(`draw ${bars.length}`),
      spanOf: (from, to) => (from <= 20 && to >= 50 ? { low: 10, high: 90 } : null),
    }
    let remove = () => {}
    await drawnBy(() => (remove = chart.addLayer(layer)))
    expect(log).toEqual(['attach placed', 'colour price', 'draw 50'])
    const wide = texts(
      await drawnBy(() => chart.style({ type: 'step', scale: 'auto', isComparing: false })),
    )
    expect([...wide]).toEqual(expect.arrayContaining(['10.0¢', '90.0¢']))
    log.length = 0
    chart.draw([...barsFrom(0, 50), bar(50)])
    chart.draw(barsFrom(-5, 51))
    chart.colour(COLOURS)
    expect(log).toEqual(['draw 51', 'draw 56', 'colour price'])
    remove()
    remove()
    expect(log.filter((entry) => entry === 'detach')).toHaveLength(1)
    const again = chart.addLayer(layer)
    log.length = 0
    chart.remove()
    again()
    expect([log, host.childElementCount]).toEqual([[], 0])
    end()
  })
})

describe('lines over time', () => {
  const plan: LinesPlan = {
    times: [0, 1, 2, 3, 4].map((hours) => START + hours * HOUR),
    lines: [
      { name: 'bid', values: [1, 2, null, 4, 5], isPrimary: true },
      { name: 'ask', values: [null, 3, null, 3, null] },
    ],
    range: [0, 10],
    valueText: (value) => `${value}¢`,
  }
  async function lines(first: LinesPlan = plan) {
    const { drawTimeLines } = await import('./time-lines.ts')
    const host = document.createElement('div')
    document.body.append(host)
    const pointed: (number | null)[] = []
    const drawn: DrawnLines = drawTimeLines(host, COLOURS, (index) => pointed.push(index))
    const drawnBy = async (act: () => void) => {
      calls.length = 0
      act()
      await pass(50)
      return [...calls]
    }
    const calls1 = await drawnBy(() => drawn.show(first))
    return { drawn, host, pointed, drawnBy, first: calls1 }
  }
  const texts = (drawn: readonly string[]) =>
    drawn.filter((call) => call.startsWith('fillText')).map((call) => call.split(' ')[1])

  it('are drawn in their colours and dashes, with dots for values alone', async () => {
    const { first, host, drawn } = await lines()
    expect(texts(first)).toEqual(expect.arrayContaining(['0¢', '10¢']))
    expect(first).toEqual(
      expect.arrayContaining(['strokeStyle=up', 'strokeStyle=down', 'setLineDash 6,3']),
    )
    // The second line has two values without a neighbour, the first none.
    expect(first.filter((call) => call.startsWith('dot'))).toHaveLength(2)
    expect(host.querySelector('canvas')).not.toBeNull()
    drawn.remove()
    expect(host.querySelector('canvas')).toBeNull()
  })

  it('are updated in place while their names and their range stay', async () => {
    const { drawn, host, drawnBy } = await lines()
    const canvas = host.querySelector('canvas')
    await drawnBy(() => drawn.show({ ...plan, times: plan.times.map((time) => time + HOUR) }))
    expect(host.querySelector('canvas')).toBe(canvas)
    const wider = await drawnBy(() => drawn.show({ ...plan, range: [0, 100] }))
    expect(host.querySelector('canvas')).not.toBe(canvas)
    expect(texts(wider)).toContain('100¢')
    const renamed = host.querySelector('canvas')
    const [bid, ask] = plan.lines
    if (bid === undefined || ask === undefined) throw new Error('no lines')
    await drawnBy(() =>
      drawn.show({ ...plan, range: [0, 100], lines: [{ ...bid, name: 'x' }, ask] }),
    )
    expect(host.querySelector('canvas')).not.toBe(renamed)
    const recoloured = await drawnBy(() => drawn.colour({ ...COLOURS, up: 'green' }))
    expect(recoloured).toContain('strokeStyle=green')
    drawn.remove()
  })

  it('fit a window of time, their values, and the size of their place', async () => {
    const window = [START - 24 * HOUR, START + 24 * HOUR] as const
    const { first, drawn, host, drawnBy } = await lines({ ...plan, range: null, window })
    // Midnight is a day, other marks are the clock.
    const marks = texts(first).filter((text) => text !== undefined && !text.endsWith('¢'))
    expect(marks.length).toBeGreaterThan(2)
    expect(first.some((call) => /^fillText \d+ [A-Z][a-z]{2} /.test(call))).toBe(true)
    expect(first.some((call) => /^fillText \d{2}:\d{2} /.test(call))).toBe(true)
    await drawnBy(() => drawn.resize(10, 90))
    const root = host.querySelector<HTMLElement>('.uplot .u-wrap')
    expect([root?.style.width, root?.style.height]).toEqual(['60px', '90px'])
    drawn.remove()
  })
})

describe('a picture of charts', () => {
  const placed = <E extends Element>(element: E, left: number, top: number, side: number): E => {
    element.getBoundingClientRect = () =>
      ({ left, top, width: side, height: side, right: left + side, bottom: top + side }) as DOMRect
    return element
  }
  const canvasAt = (left: number, top: number, side: number) =>
    placed(document.createElement('canvas'), left, top, side)
  const svg = () => document.createElementNS('http://www.w3.org/2000/svg', 'svg')

  it('has canvases of any size and drawings of 40 px or more, without icons', () => {
    const host = document.createElement('div')
    const [canvas, drawing] = [canvasAt(0, 0, 1), placed(svg(), 0, 0, 40)]
    const button = document.createElement('button')
    button.append(placed(svg(), 0, 0, 90))
    const hidden = document.createElement('span')
    hidden.setAttribute('aria-hidden', 'true')
    hidden.append(placed(svg(), 0, 0, 90))
    host.append(canvas, canvasAt(0, 0, 0), drawing, placed(svg(), 0, 0, 39), button, hidden)
    expect(drawingsIn(host)).toEqual([canvas, drawing])
  })

  it('is none without a chart', async () => {
    expect(await pictureOf(document.createElement('div'), 'MOV')).toBeNull()
  })

  it('has the charts at their places below the caption, at least twice as sharp as the page', async () => {
    const host = document.body.appendChild(document.createElement('div'))
    host.append(canvasAt(110, 220, 100), canvasAt(220, 320, 50))
    const sizes: string[] = []
    const blob = new Blob(['picture'])
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
      this: HTMLCanvasElement,
      done,
    ) {
      sizes.push(`${this.width} ${this.height}`)
      done(blob)
    })
    expect(await pictureOf(host, 'MOV')).toBe(blob)
    // 160 by 150 px of charts, 8 px around them and 26 px for the caption.
    expect(sizes).toEqual(['352 368'])
    expect(calls.filter((call) => /^(scale|fillRect|fillText|drawImage) /.test(call))).toEqual([
      'scale 2 2',
      'fillRect 0 0 176 184',
      'fillText MOV 8 17 160',
      'drawImage [object HTMLCanvasElement] 8 26 100 100',
      'drawImage [object HTMLCanvasElement] 118 126 50 50',
    ])
    vi.stubGlobal('devicePixelRatio', 3)
    await pictureOf(host, 'MOV')
    expect(sizes[1]).toBe('528 552')
    host.remove()
  })
})

it('the colours of a chart are those of the theme, with the transparency of each', () => {
  const host = document.body.appendChild(document.createElement('div'))
  const probed: string[] = []
  vi.spyOn(globalThis, 'getComputedStyle').mockImplementation((element) => {
    if (element === host) return { fontFamily: 'Sans' } as CSSStyleDeclaration
    expect(element.parentElement).toBe(host)
    probed.push((element as HTMLElement).style.color)
    // The third colour has no channels, like one that no browser knows.
    const color = probed.length === 3 ? 'unknown' : 'rgb(1, 2, 3)'
    return { color } as CSSStyleDeclaration
  })
  const colours = chartColours(host)
  expect([colours.background, colours.faint, colours.fontFamily]).toEqual([
    'rgba(1, 2, 3, 1)',
    'rgba(0, 0, 0, 1)',
    'Sans',
  ])
  const { line, upSoft, downSoft, priceSoft, gap, event, lines } = colours
  const alphas = [line, upSoft, downSoft, priceSoft, gap, event].map((colour) =>
    colour.split(', ').at(-1),
  )
  expect(alphas).toEqual(['0.55)', '0.32)', '0.32)', '0.16)', '0.45)', '0.85)'])
  expect(lines).toHaveLength(LINE_TOKENS.length)
  expect([host.childElementCount, probed.length]).toEqual([0, 13 + LINE_TOKENS.length])
  host.remove()
})
