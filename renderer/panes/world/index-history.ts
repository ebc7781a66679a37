import type {
  GaugePoint,
  Gauges,
  IndexAnswer,
  IndexHistory,
  WorldHistory,
  WorldSnapshot,
} from '../../api/world-types.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatNumber, isoOf } from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'
import { formatSigned, gaugeText } from './gauges.ts'

export const SPANS = ['6h', '24h', '7d', '30d', '90d'] as const

/** The gauges on the scale of 0 to 100, as the chart draws them and its legend shows them. */
export const LEVELS = [
  { name: 'value', label: 'Index', stroke: 'up', dash: '' },
  { name: 'disagreement', label: 'Disagreement', stroke: 'down', dash: '6 3' },
  { name: 'geoRisk', label: 'Geo risk', stroke: 'text', dash: '2 2' },
  { name: 'activity', label: 'Activity', stroke: 'faint', dash: '8 3 2 3' },
] as const

export interface IndexNow {
  readonly gauges: Gauges & { readonly value: number | null }
  readonly delta24h: number | null
  readonly components: Readonly<Record<string, number | null>>
  readonly at: string
  /** Why a gauge is unknown. */
  readonly note: string | null
}

/** The gauges as they are, of the world or of a region of it; null before an answer. */
export function indexNow(world: IndexAnswer | null, region: WorldSnapshot | null): IndexNow | null {
  if (world !== null) {
    const { delta24h, components, timestamp, dataNote } = world
    return { gauges: world, delta24h, components, at: timestamp, note: dataNote }
  }
  if (region === null) return null
  const { index, asOf } = region
  return {
    ...{ gauges: index, delta24h: index.delta24h, components: index.components, at: asOf },
    note: null,
  }
}

/** Points of either history, oldest first. */
export function pointsOf(body: IndexHistory | WorldHistory | null): readonly GaugePoint[] {
  if (body === null) return []
  return 'history' in body ? body.history.points : body.points
}

/** Steps without a point from which a line is broken. */
const MOST_STEPS = 2.5

/** A history as it is drawn. */
export interface DrawnHistory {
  readonly points: readonly GaugePoint[]
  /** Unix seconds of the points: those of a long history are read once, which takes longer than to draw it. */
  readonly times: readonly number[]
}

const UNKNOWN = { value: null, disagreement: null, geoRisk: null, breadth: null, activity: null }

/** The points with an unknown one in each stretch that misses some, so that no line spans it. */
export function withGaps(points: readonly GaugePoint[], stepSeconds: number): DrawnHistory {
  const drawn: GaugePoint[] = []
  const times: number[] = []
  for (const point of points) {
    const time = Date.parse(point.at) / 1000
    const before = times.at(-1)
    if (before !== undefined && time - before > stepSeconds * MOST_STEPS) {
      const between = (before + time) / 2
      drawn.push({ at: isoOf(between * 1000), ...UNKNOWN })
      times.push(between)
    }
    drawn.push(point)
    times.push(time)
  }
  return { points: drawn, times }
}

/** Width of a step of either history, in seconds. */
export const stepOf = (body: IndexHistory | WorldHistory | null): number => {
  if (body === null) return 0
  return 'history' in body ? body.history.stepSeconds : body.stepSeconds
}

/** The asked span up to the newest point, in Unix seconds; null without a point. */
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
    leads: name === 'value',
  })),
  range: [0, 100],
  valueText: (value) => formatNumber(value, 0),
})

export const breadthPlan = (history: DrawnHistory, spanSeconds: number): LinesPlan => ({
  window: windowOf(history, spanSeconds),
  times: history.times,
  lines: [{ name: 'Breadth', values: history.points.map(({ breadth }) => breadth), leads: true }],
  range: [-1, 1],
  valueText: (value) => formatSigned(value),
})

/** What the chart shows, in a sentence. */
export function summaryOf(points: readonly GaugePoint[], span: string): string {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return `The index is unknown over ${span}`
  // A long history has more points than a call takes arguments.
  const least = known.reduce((low, value) => Math.min(low, value), first)
  const most = known.reduce((high, value) => Math.max(high, value), first)
  const text = (value: number) => gaugeText('value', value)
  return `The index over ${span} from ${text(first)} to ${text(last)}, between ${text(least)} and ${text(most)}`
}

const NAMES: Readonly<Record<string, readonly [name: string, help: string]>> = {
  geoDelta: ['Geo: direction', 'Which way the risk contracts moved in a day'],
  geoVol: ['Geo: roughness', 'How unevenly they moved'],
  geoLevel: ['Geo: level', 'Where they stand against a month'],
  geoBasketSize: ['Geo: contracts', 'Markets in the basket'],
  geoTheatersActive: ['Geo: theatres', 'Theatres with contracts'],
  breadthUp: ['Rose by 10¢', 'Markets'],
  breadthDown: ['Fell by 10¢', 'Markets'],
  breadthTotal: ['Moved by 10¢', 'Markets'],
  disagreementSigma: ['Median movement', 'Of liquid markets in the last hour, cents'],
  qualifyingTickers: ['Liquid markets', 'That moved in the last hour'],
  activityChanges_24h: ['Repricings 24h', 'Price changes of the last day'],
  activityBelowCount: ['Quieter days', 'Of the days compared with'],
  activityBaselineDays: ['Days compared', 'Days before with history'],
  metricVersion: ['Version', 'Of the formulas'],
}

/** What the gauges are made of, named; an unknown one is an en dash. */
export const componentFigures = (components: IndexNow['components']): readonly Figure[] =>
  Object.entries(components).map(([key, value]) => {
    const [name, help] = NAMES[key] ?? [key, '']
    return { name, help, value: formatNumber(value) }
  })
