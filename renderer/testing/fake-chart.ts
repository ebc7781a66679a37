import type { ChartBar } from '../charts/chart-bars.ts'
import type { Instant } from '../charts/event-lines.ts'
import type { ChartLayer } from '../charts/layers/chart-layer.ts'
import type { Print } from '../charts/print-dots.ts'
import type { ChartStyle, DrawnChart, Level, PriceChartEvents } from '../charts/price-chart.ts'
import { indexAt, type Band } from '../charts/series.ts'

/** What a chart without a canvas received. */
export interface CreatedChart {
  readonly events: PriceChartEvents
  /** Crosshair positions. */
  readonly pointed: (number | null)[]
  /** Ranges of time that were shown. */
  readonly shown: Band[]
  readonly marked: Instant[]
  readonly levels: Level[]
  readonly styles: ChartStyle[]
  readonly prints: Print[]
  readonly gaps: Band[]
  readonly layers: Set<ChartLayer>
  /** Calls that only move the view: `zoom 1.4`. */
  readonly moves: string[]
  bars: readonly ChartBar[]
}

/** The charts of a test, in the order of their creation. */
export const created: CreatedChart[] = []

/** Unix seconds of the point that the fake has under the pointer. */
export const FAKE_POINT = Date.parse('2026-11-20T09:00:00.000Z') / 1000

/** In place of `drawPriceChart`: a pixel is a cent, and the point at the height 10 has 42¢. */
export function drawPriceChart(_host: HTMLElement, events: PriceChartEvents): DrawnChart {
  const chart: CreatedChart = {
    events,
    pointed: [],
    shown: [],
    marked: [],
    levels: [],
    styles: [],
    prints: [],
    gaps: [],
    layers: new Set(),
    moves: [],
    bars: [],
  }
  created.push(chart)
  const fill = <T>(list: T[], next: readonly T[]) => void list.splice(0, list.length, ...next)
  const move = (text: string) => void chart.moves.push(text)
  return {
    markEvents(instants) {
      fill(chart.marked, instants)
      events.onplaced(instants.map(({ id }, index) => ({ id, x: 100 * index, y: 90 })))
    },
    showRange: (view) => void chart.shown.push(view),
    markGaps: (gaps) => fill(chart.gaps, gaps),
    colour: () => move('colour'),
    style: (style) => void chart.styles.push(style),
    reserveTop: (listed) => move(`leaveTop ${listed}`),
    markPrints: (prints) => fill(chart.prints, prints),
    markLevels: (levels) => fill(chart.levels, levels),
    levelAt: (y) => chart.levels.find(({ price }) => Math.abs(100 - y - price) < 2) ?? null,
    pointOf: (_x, y) => ({ price: y === 10 ? 42 : 100 - y, time: FAKE_POINT }),
    positionAt: () => ({ x: 10, y: 10 }),
    showLast: (bars) => move(`showLast ${bars}`),
    zoom: (factor) => move(`zoom ${factor.toFixed(2)}`),
    pan: (share) => move(`pan ${share}`),
    reset: () => move('reset'),
    remove: () => move('remove'),
    addLayer(layer) {
      chart.layers.add(layer)
      return () => void chart.layers.delete(layer)
    },
    draw: (bars) => void (chart.bars = bars),
    pointAt(time) {
      chart.pointed.push(time)
      const bar = time === null ? undefined : chart.bars[indexAt(chart.bars, time)]
      events.onhover(bar ?? null, null)
    },
    timeBeside: (time, by) =>
      chart.bars[time === null ? chart.bars.length - 1 : indexAt(chart.bars, time) + by]?.time ??
      null,
  }
}
