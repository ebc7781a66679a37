import { describe, expect, it } from 'vitest'
import type { Calendar } from '../../../../backend/contract/edges.ts'
import type { ChangesAnswer } from '../../../../backend/contract/market-history.ts'
import { positionOnAxis } from '../../../charts/series.ts'
import type { LedgerPage } from '../../../../backend/contract/portfolio.ts'
import type { ThesesByTicker, ThesisFeed } from '../../../../backend/contract/theses/reads.ts'
import {
  changesOf,
  datesOf,
  evaluationsOf,
  eventsIn,
  fillsOf,
  settlementsOf,
  visibleEventsOf,
} from './chart-events.ts'

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
const changes = (...rows: object[]) => ({ changes: rows }) as unknown as ChangesAnswer

describe('events of a chart [terminal.chart.events]', () => {
  it('are dates and settlements, the earliest first, with a short label', () => {
    const dates = datesOf(
      calendar(
        catalyst('2026-12-11T05:00:00.000Z', {}),
        catalyst('2026-12-01T00:00:00.000Z', { kind: 'econ_release', timeKnown: false }),
        catalyst('2026-12-02T00:00:00.000Z', { kind: 'moon_landing' }),
      ),
    )
    const settled = settlementsOf(
      changes({ id: 'r', at: '2026-12-11T06:00:00.000Z', title: 'Will it?', after: 'no' }),
    )
    const events = visibleEventsOf([...settled, ...dates], [], null)
    expect(events.map(({ kind, label }) => [kind, label])).toEqual([
      ['release', 'release'],
      ['release', 'moon landing'],
      ['settlement', 'resolves'],
      ['settlement', 'resolved no'],
    ])
    expect(events[0]?.title).toBe('Will it? (2026-12-01)')
    expect([datesOf(null), settlementsOf(null)]).toEqual([[], []])
  })

  it('belong to the bar that they fall into', () => {
    const [event] = datesOf(calendar(catalyst('2026-12-11T05:30:00.000Z', {})))
    if (event === undefined) throw new Error('no event')
    const hour = Date.parse('2026-12-11T05:00:00.000Z') / 1000
    expect(eventsIn([event], hour, 3600)).toEqual([event])
    expect(eventsIn([event], hour - 3600, 3600)).toEqual([])
    expect(eventsIn([event], hour + 3600, 3600)).toEqual([])
  })

  it('are shown between bars, and beyond the newest', () => {
    const axis = { start: 7_200, seconds: 3_600 }
    expect(positionOnAxis(axis, 7_200)).toBe(0)
    expect(positionOnAxis(axis, 9_000)).toBe(0.5)
    expect(positionOnAxis(axis, 43_200)).toBe(10)
    expect(positionOnAxis(axis, 3_600)).toBe(-1)
  })
})

describe('marks of a chart [terminal.chart.marks]', () => {
  const fill = (id: string, more: object) => ({
    id,
    occurredAt: '2026-12-01T00:00:00.000Z',
    action: 'buy',
    direction: 'yes',
    priceCents: 40,
    quantity: 10,
    mode: 'paper',
    ...more,
  })

  it('have fills at the price of YES, and leave out those without a price', () => {
    const page = {
      data: [
        fill('a', {}),
        fill('b', { direction: 'no', action: 'sell' }),
        fill('c', { priceCents: null }),
      ],
    } as unknown as LedgerPage
    expect(fillsOf(page).map(({ fill: drawn, title }) => [drawn, title])).toEqual([
      [{ action: 'buy', side: 'yes', price: 40 }, 'buy YES 10 at 40.0¢, paper'],
      [{ action: 'sell', side: 'no', price: 60 }, 'sell NO 10 at 40.0¢, paper'],
    ])
  })

  it('have the evaluations of own theses with an edge in the market', () => {
    const linked = { theses: [{ thesisId: 't1' }, {}] } as unknown as ThesesByTicker
    const row = {
      evaluatedAt: '2026-12-01T00:00:00.000Z',
      title: 'Cut',
      summary: 'CPI fell',
      confidence: 0.6,
    }
    const feed = {
      feed: [
        { id: 'e1', thesisId: 't1', ...row },
        { id: 'e2', thesisId: 't2', ...row },
      ],
    } as unknown as ThesisFeed
    expect(evaluationsOf(linked, feed).map(({ id, thesis, label }) => [id, thesis, label])).toEqual(
      [['e1', 't1', '60%']],
    )
    expect(evaluationsOf(linked, null)).toEqual([])
  })

  it('show changes besides the resolution, which is a settlement', () => {
    const move = {
      type: 'price_move',
      before: 40,
      after: 50,
      delta: 10,
      at: '2026-12-01T00:00:00.000Z',
    }
    const rows = changes({ id: 'm', ...move }, { ...move, id: 'r', type: 'resolved', after: 'no' })
    expect(changesOf(rows).map(({ id, label }) => [id, label])).toEqual([['m', 'price move']])
  })

  it('of a past instant show nothing later, and no hidden kind', () => {
    const dates = datesOf(
      calendar(
        catalyst('2026-12-01T00:00:00.000Z', { kind: 'econ_release' }),
        catalyst('2026-12-02T00:00:00.000Z', { kind: 'econ_release' }),
        catalyst('2026-12-01T00:00:00.000Z', {}),
      ),
    )
    const at = '2026-12-01T12:00:00.000Z'
    expect(visibleEventsOf(dates, [], at).map(({ label }) => label)).toEqual([
      'release',
      'resolves',
    ])
    expect(visibleEventsOf(dates, ['settlement'], at).map(({ label }) => label)).toEqual([
      'release',
    ])
    expect(visibleEventsOf(dates, [], '2026-12-01T00:00:00.000Z')).toHaveLength(2)
    const backtest = dates.map((event) => ({ ...event, kind: null }))
    expect(visibleEventsOf(backtest, ['release', 'settlement'], null)).toHaveLength(3)
  })
})
