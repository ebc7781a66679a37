import { describe, expect, it } from 'vitest'
import type { IndexPoint } from '../../../backend/contract/panels/panel-payloads.ts'
import { isoOf } from '../../lib/format.ts'
import { formatSigned, gaugeText } from './gauges.ts'
import {
  breadthPlan,
  componentFigures,
  currentIndex,
  levelsPlan,
  pointsOf,
  stepOf,
  summaryOf,
  insertGaps,
} from './index-history.ts'

const START = Date.parse('2026-11-20T00:00:00.000Z')
const HOUR = 3_600_000
const point = (hours: number, change: Partial<IndexPoint> = {}): IndexPoint => ({
  at: isoOf(START + hours * HOUR),
  value: 40,
  disagreement: 30,
  geoRisk: 20,
  breadth: 0.1,
  activity: 50,
  ...change,
})

describe('insertGaps', () => {
  it('breaks lines where points are missing, and nowhere else', () => {
    const { points, times } = insertGaps([point(0), point(1), point(3), point(27)], 3600)
    expect(points.map(({ value }) => value)).toEqual([40, 40, 40, null, 40])
    expect(points[3]?.at).toBe(isoOf(START + 15 * HOUR))
    expect(times).toEqual(points.map(({ at }) => Date.parse(at) / 1000))
  })

  it('leaves unknown values unknown', () => {
    const { points } = insertGaps([point(0, { disagreement: null })], 3600)
    expect(points[0]?.disagreement).toBeNull()
  })
})

it('plots gauges on their own scales over the requested span, unknown as a gap', () => {
  const history = insertGaps([point(0, { value: null }), point(1)], 3600)
  const levels = levelsPlan(history, 86_400)
  expect(levels.range).toEqual([0, 100])
  expect(levels.lines[0]).toMatchObject({ name: 'Index', values: [null, 40] })
  const end = START / 1000 + 3600
  expect(levels.window).toEqual([end - 86_400, end])
  const breadth = breadthPlan(history, 86_400)
  expect(breadth.range).toEqual([-1, 1])
  expect(breadth.valueText(0.5)).toBe('+0.5')
})

it('describes the chart in a sentence', () => {
  expect(summaryOf([point(0), point(1, { value: 52 })], '24h')).toBe(
    'The index over 24h from 40 to 52, between 40 and 52',
  )
  expect(summaryOf([point(0, { value: null })], '24h')).toBe('The index is unknown over 24h')
})

it('names components and shows an unknown one as a dash', () => {
  expect(componentFigures({ geoVol: null, breadthUp: 6, later: 1 })).toMatchObject([
    { name: 'Geo: volatility', value: '–' },
    { name: 'Rose by 10¢', value: '6' },
    { name: 'later', value: '1' },
  ])
})

it('a line is broken only after more than two and a half steps', () => {
  const known = (hours: number) => insertGaps([point(0), point(hours)], 3600).points.length
  expect([known(2.5), known(2.6)]).toEqual([2, 3])
})

it('points and steps are those of either history', () => {
  const points = [point(0)]
  const own = { points, stepSeconds: 60 }
  expect([pointsOf(own as never), stepOf(own as never)]).toEqual([points, 60])
  const region = { history: { points, stepSeconds: 300 } }
  expect([pointsOf(region as never), stepOf(region as never)]).toEqual([points, 300])
  expect([pointsOf(null), stepOf(null)]).toEqual([[], 0])
})

it('the gauges are of the world, else of a region', () => {
  const world = { value: 40, delta24h: 1, components: {}, timestamp: 'now', dataNote: 'why' }
  const region = { index: { value: 30, delta24h: -1, components: { a: 1 } }, asOf: 'then' }
  expect(currentIndex(world as never, region as never)).toMatchObject({
    delta24h: 1,
    at: 'now',
    note: 'why',
  })
  expect(currentIndex(null, region as never)).toMatchObject({
    delta24h: -1,
    components: { a: 1 },
    at: 'then',
    note: null,
  })
  expect(currentIndex(null, null)).toBeNull()
})

it('without points there is no window', () => {
  expect(levelsPlan(insertGaps([], 60), 60).window).toBeNull()
})

it('the sentence has the lowest and the highest value', () => {
  const values = [40, 60, 20, 50].map((value, hour) => point(hour, { value }))
  expect(summaryOf(values, '6h')).toBe('The index over 6h from 40 to 50, between 20 and 60')
})

it.each([
  [3, '+3'],
  [-0.04, '−0.04'],
  [0, '0'],
  [0.001, '0'],
  [null, '–'],
  [undefined, '–'],
])('%s with its sign is %s', (value, text) => {
  expect(formatSigned(value)).toBe(text)
})

it('breadth has a sign, other gauges have one decimal', () => {
  expect([gaugeText('breadth', 0.25), gaugeText('value', 41.26)]).toEqual(['+0.25', '41.3'])
})
