import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatMoment, isoOf } from '../lib/format.ts'
import type { ChartColours } from './layers/chart-colours.ts'

/** One line over time; unknown values leave a gap. */
export interface TimeLine {
  readonly name: string
  /** One value per instant; null when it is unknown. */
  readonly values: readonly (number | null)[]
  /** Drawn with a heavier stroke. */
  readonly isPrimary?: boolean
}

export interface LinesPlan {
  /** Unix seconds, ascending. */
  readonly times: readonly number[]
  readonly lines: readonly TimeLine[]
  /** Range of the time axis in Unix seconds, including parts without data; null fits the times. */
  readonly window?: readonly [number, number] | null
  /** Fixed range of the value axis; null fits the values. */
  readonly range: readonly [number, number] | null
  readonly valueText: (value: number) => string
  /** px below the lines for the times; the library's default if absent. */
  readonly timesHeight?: number
}

export interface DrawnLines {
  show(plan: LinesPlan): void
  colour(colours: ChartColours): void
  resize(width: number, height: number): void
  remove(): void
}

/** Dash patterns distinguish lines without their colours. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]]

const strokes = ({ up, down, text, faint }: ChartColours): readonly string[] => [
  up,
  down,
  text,
  faint,
]

/** Indexes of known values between unknown ones. */
function lonePoints(plot: uPlot, line: number): number[] {
  const values = plot.data[line] ?? []
  const lonePoints: number[] = []
  // Called for every draw with all values, so each is visited once.
  let isBefore = false
  let isKnown = (values[0] ?? null) !== null
  for (let index = 0; index < values.length; index += 1) {
    const isAfter = (values[index + 1] ?? null) !== null
    if (isKnown && !isBefore && !isAfter) lonePoints.push(index)
    isBefore = isKnown
    isKnown = isAfter
  }
  return lonePoints
}

/** A label of the time axis, local: the clock, and at midnight the day. */
function tickText(seconds: number): string {
  const words = formatMoment(isoOf(seconds * 1000)).split(' ')
  const clock = words.at(-1) ?? ''
  return clock === '00:00' ? words.slice(0, -1).join(' ') : clock
}

function optionsOf(
  { lines, range, valueText, timesHeight }: LinesPlan,
  windowNow: () => LinesPlan['window'],
  colours: ChartColours,
  width: number,
  height: number,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: colours.faint,
    font: `11px ${colours.fontFamily}`,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: {
        range: (_plot, min, max) => {
          const window = windowNow() ?? [min, max]
          return [window[0], window[1]]
        },
      },
      y: range === null ? {} : { range: () => [range[0], range[1]] },
    },
    axes: [
      {
        ...axis,
        space: 72,
        ...(timesHeight !== undefined && { size: timesHeight }),
        values: (_plot, ticks) => ticks.map(tickText),
      },
      { ...axis, size: 48, values: (_plot, ticks) => ticks.map((tick) => valueText(tick)) },
    ],
    series: [
      {},
      ...lines.map(({ name, isPrimary = false }, index): uPlot.Series => ({
        label: name,
        stroke: strokes(colours)[index % 4] ?? colours.text,
        width: isPrimary ? 2 : 1.25,
        dash: [...(DASHES[index % DASHES.length] ?? [])],
        // Only isolated points, which no line reaches.
        points: { show: true, size: 4, filter: lonePoints },
        spanGaps: false,
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  }
}

/**
 * Lines of one value axis over time.
 * @param onpoint called with the index of the instant under the pointer; null when it leaves
 */
export function drawTimeLines(
  host: HTMLElement,
  colours: ChartColours,
  onpoint: (index: number | null) => void,
): DrawnLines {
  let plot: uPlot | null = null
  let plan: LinesPlan | null = null
  let currentColours = colours
  const size = () => ({ width: Math.max(host.clientWidth, 60), height: host.clientHeight })
  const dataOf = ({ times, lines }: LinesPlan): uPlot.AlignedData => [
    [...times],
    ...lines.map(({ values }) => [...values]),
  ]
  const createPlot = () => {
    plot?.destroy()
    if (plan === null) return
    const { width, height } = size()
    plot = new uPlot(
      optionsOf(plan, () => plan?.window, currentColours, width, height, onpoint),
      dataOf(plan),
      host,
    )
  }
  return {
    show(next) {
      const isSame =
        plan !== null &&
        next.lines.map(({ name }) => name).join() === plan.lines.map(({ name }) => name).join() &&
        String(next.range) === String(plan.range)
      plan = next
      if (isSame) plot?.setData(dataOf(next))
      else createPlot()
    },
    colour(next) {
      currentColours = next
      createPlot()
    },
    resize: (width, height) => plot?.setSize({ width: Math.max(width, 60), height }),
    remove() {
      plot?.destroy()
      plot = null
    },
  }
}
