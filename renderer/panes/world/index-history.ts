import type { IndexPoint } from '../../../backend/contract/panels/panel-payloads.ts'
import type { Gauges, IndexAnswer, IndexHistory } from '../../../backend/contract/indices.ts'
import type { WorldHistory, WorldSnapshot } from '../../../backend/contract/world.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatNumber, isoOf } from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'
import { formatSigned, gaugeText } from './gauges.ts'

export const SPANS = ['6h', '24h', '7d', '30d', '90d'] as const

/** The gauges on a scale of 0 to 100, as in the chart and its legend. */
export const LEVELS = [
  { name: 'value', label: 'Index', stroke: 'up', dash: '' },
  { name: 'disagreement', label: 'Disagreement', stroke: 'down', dash: '6 3' },
  { name: 'geoRisk', label: 'Geo risk', stroke: 'text', dash: '2 2' },
  { name: 'activity', label: 'Activity', stroke: 'faint', dash: '8 3 2 3' },
] as const

export interface CurrentIndex {
  readonly gauges: Gauges & { readonly value: number | null }
  readonly delta24h: number | null
  readonly components: Readonly<Record<string, number | null>>
  readonly at: string
  /** Why a gauge is unknown. */
  readonly note: string | null
}

/** The current gauges, of the world or of a region; null before a response. */
export function currentIndex(
  world: IndexAnswer | null,
  region: WorldSnapshot | null,
): CurrentIndex | null {
  if (world !== null) {
    const { delta24h, components, timestamp, dataNote } = world
    return { gauges: world, delta24h, components, at: timestamp, note: dataNote }
  }
  if (region === null) return null
  const { index, asOf } = region
  return {
    gauges: index,
    delta24h: index.delta24h,
    components: index.components,
    at: asOf,
    note: null,
  }
}

/** A point of either history; only the world's has a regime. */
export type HistoryPoint = IndexPoint & { readonly regimeLabel?: string }

/** Points of either history, oldest first. */
export function pointsOf(body: IndexHistory | WorldHistory | null): readonly HistoryPoint[] {
  if (body === null) return []
  return 'history' in body ? body.history.points : body.points
}

/** A line is broken after so many steps without a point. */
const MAX_STEPS = 2.5

/** A history prepared for drawing. */
export interface DrawnHistory {
  readonly points: readonly HistoryPoint[]
  /**
   * Unix seconds of the points, cached because parsing those of a long history takes longer than
   * drawing it.
   */
  readonly times: readonly number[]
}

const UNKNOWN = { value: null, disagreement: null, geoRisk: null, breadth: null, activity: null }

/** The points with an unknown one inserted in each gap, so that no line spans it. */
export function insertGaps(points: readonly HistoryPoint[], stepSeconds: number): DrawnHistory {
  const drawnPoints: HistoryPoint[] = []
  const times: number[] = []
  for (const point of points) {
    const time = Date.parse(point.at) / 1000
    const previous = times.at(-1)
    if (previous !== undefined && time - previous > stepSeconds * MAX_STEPS) {
      const middleTime = (previous + time) / 2
      drawnPoints.push({ at: isoOf(middleTime * 1000), ...UNKNOWN })
      times.push(middleTime)
    }
    drawnPoints.push(point)
    times.push(time)
  }
  return { points: drawnPoints, times }
}

/** Width of a step of either history, in seconds. */
export const stepOf = (body: IndexHistory | WorldHistory | null): number => {
  if (body === null) return 0
  return 'history' in body ? body.history.stepSeconds : body.stepSeconds
}

/** The requested span up to the newest point, in Unix seconds; null without a point. */
function windowOf({ times }: DrawnHistory, spanSeconds: number): readonly [number, number] | null {
  const to = times.at(-1)
  return to === undefined ? null : [to - spanSeconds, to]
}

export const levelsPlan = (history: DrawnHistory, spanSeconds: number): LinesPlan => ({
  window: windowOf(history, spanSeconds),
  times: history.times,
  lines: LEVELS.map(({ name, label }) => ({
    name: label,
    values: history.points.map((point) => point[name]),
    isPrimary: name === 'value',
  })),
  range: [0, 100],
  valueText: (value) => formatNumber(value, 0),
})

export const breadthPlan = (history: DrawnHistory, spanSeconds: number): LinesPlan => ({
  window: windowOf(history, spanSeconds),
  times: history.times,
  lines: [
    { name: 'Breadth', values: history.points.map(({ breadth }) => breadth), isPrimary: true },
  ],
  range: [-1, 1],
  valueText: (value) => formatSigned(value),
})

/** The chart, in a sentence. */
export function summaryOf(points: readonly IndexPoint[], span: string): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return `The index is unknown over ${span}`
  // A long history has more points than a call accepts arguments.
  const min = values.reduce((low, value) => Math.min(low, value), first)
  const max = values.reduce((high, value) => Math.max(high, value), first)
  const text = (value: number) => gaugeText('value', value)
  return `The index over ${span} from ${text(first)} to ${text(last)}, between ${text(min)} and ${text(max)}`
}

const NAMES: Readonly<Record<string, readonly [name: string, help: string]>> = {
  geoDelta: ['Geo: direction', 'Direction of risk contracts over one day'],
  geoVol: ['Geo: volatility', 'Volatility of risk contracts over one day'],
  geoLevel: ['Geo: level', 'Level relative to the last month'],
  geoBasketSize: ['Geo: contracts', 'Markets in the basket'],
  geoTheatersActive: ['Geo: theatres', 'Theatres with contracts'],
  breadthUp: ['Rose by 10¢', 'Markets'],
  breadthDown: ['Fell by 10¢', 'Markets'],
  breadthTotal: ['Moved by 10¢', 'Markets'],
  disagreementSigma: ['Median movement', 'Liquid markets over the last hour, cents'],
  qualifyingTickers: ['Liquid markets', 'Liquid markets that moved in the last hour'],
  activityChanges_24h: ['Repricings 24h', 'Price changes of the last day'],
  activityBelowCount: ['Quieter days', 'Compared days with fewer repricings'],
  activityBaselineDays: ['Days compared', 'Earlier days with history'],
  metricVersion: ['Version', 'Formula version'],
}

/** Inputs of the gauges, named; an unknown one is an en dash. */
export const componentFigures = (components: CurrentIndex['components']): readonly Figure[] =>
  Object.entries(components).map(([key, value]) => {
    const [name, help] = NAMES[key] ?? [key, '']
    return { name, help, value: formatNumber(value) }
  })
