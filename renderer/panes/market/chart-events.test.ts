import { describe, expect, it } from 'vitest'
import type { Calendar } from '../../../backend/contract/edges.ts'
import type { ChangesAnswer } from '../../../backend/contract/market-history.ts'
import { placeOnAxis } from '../../charts/series.ts'
import { chartEvents, eventsIn } from './chart-events.ts'

const catalyst = (at: string, more: object) => ({
  id: `c${at}`,
  kind: 'resolution',
  title: 'Will it?',
  at,
  date: at.slice(0, 10),
  timeKnown: true,
  category: 'x',
  tickers: ['KX'],
  importance: 'high',
  source: 'venue_a',
  ...more,
})
const calendar = (...events: object[]) => ({ events }) as unknown as Calendar
const resolved = (...changes: object[]) => ({ changes }) as unknown as ChangesAnswer

describe('events of a chart [terminal.chart.events]', () => {
  it('are catalysts and resolutions, the earliest first, with a short label', () => {
    const events = chartEvents(
      calendar(
        catalyst('2026-12-11T05:00:00.000Z', {}),
        catalyst('2026-12-01T00:00:00.000Z', { kind: 'econ_release', timeKnown: false }),
        catalyst('2026-12-02T00:00:00.000Z', { kind: 'moon_landing' }),
      ),
      resolved({ id: 'r', at: '2026-12-11T06:00:00.000Z', title: 'Will it?', after: 'no' }),
    )
    expect(events.map(({ word }) => word)).toEqual([
      'release',
      'moon landing',
      'resolves',
      'resolved no',
    ])
    expect(events[0]?.title).toBe('Will it? (2026-12-01)')
    expect(chartEvents(null, null)).toEqual([])
  })

  it('belong to the bar that they fall into', () => {
    const [event] = chartEvents(calendar(catalyst('2026-12-11T05:30:00.000Z', {})), null)
    if (event === undefined) throw new Error('no event')
    const hour = Date.parse('2026-12-11T05:00:00.000Z') / 1000
    expect(eventsIn([event], hour, 3600)).toEqual([event])
    expect(eventsIn([event], hour - 3600, 3600)).toEqual([])
    expect(eventsIn([event], hour + 3600, 3600)).toEqual([])
  })

  it('are shown between bars, and beyond the newest', () => {
    const axis = { start: 7_200, seconds: 3_600 }
    expect(placeOnAxis(axis, 7_200)).toBe(0)
    expect(placeOnAxis(axis, 9_000)).toBe(0.5)
    expect(placeOnAxis(axis, 43_200)).toBe(10)
    expect(placeOnAxis(axis, 3_600)).toBe(-1)
  })
})
