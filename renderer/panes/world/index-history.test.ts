import { describe, expect, it } from 'vitest'
import type { IndexPoint } from '../../../backend/contract/panels/panel-payloads.ts'
import { isoOf } from '../../lib/format.ts'
import { breadthPlan, componentFigures, levelsPlan, summaryOf, withGaps } from './index-history.ts'

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

describe('withGaps', () => {
  it('breaks lines where points are missing, and nowhere else', () => {
    const { points, times } = withGaps([point(0), point(1), point(3), point(27)], 3600)
    expect(points.map(({ value }) => value)).toEqual([40, 40, 40, null, 40])
    expect(points[3]?.at).toBe(isoOf(START + 15 * HOUR))
    expect(times).toEqual(points.map(({ at }) => Date.parse(at) / 1000))
  })

  it('leaves unknown values unknown', () => {
    const { points } = withGaps([point(0, { disagreement: null })], 3600)
    expect(points[0]?.disagreement).toBeNull()
  })
})

it('plots gauges on their own scales over the requested span, unknown as a gap', () => {
  const history = withGaps([point(0, { value: null }), point(1)], 3600)
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
    { name: 'Geo: roughness', value: '–' },
    { name: 'Rose by 10¢', value: '6' },
    { name: 'later', value: '1' },
  ])
})
