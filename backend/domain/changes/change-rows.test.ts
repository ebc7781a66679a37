import { describe, expect, it } from 'vitest'
import {
  changeRates,
  changeRows,
  QUARTER_HOUR,
  quarterHourOf,
  headlinePricesAt,
} from './change-rows.ts'
import { DAY, HOUR, MINUTE } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

const c = (value: number): Cents => value as Cents
const start = Date.UTC(2026, 10, 20) as Millis
const after = (span: number): Millis => (start + span) as Millis
const trade = (span: number, price: number) => ({ ts: after(span), price: c(price) })
const quote = (span: number, bid: number | null, ask: number | null) => ({
  ts: after(span),
  bid: bid as Cents | null,
  ask: ask as Cents | null,
})
const closeTimeAt = () => after(10 * DAY)

it('rounds every instant down to its quarter hour', () => {
  expect(quarterHourOf(after(QUARTER_HOUR - 1))).toBe(start)
  expect(quarterHourOf(after(QUARTER_HOUR))).toBe(after(QUARTER_HOUR))
})

describe('headline prices over time', () => {
  it('use only what happened by then, and a quote only while it is valid', () => {
    const history = { trades: [trade(0, 30)], quotes: [quote(MINUTE, 20, 22)] }
    const instants = [-1, 0, MINUTE, 16 * MINUTE, 17 * MINUTE].map(after)
    expect(headlinePricesAt(history, instants)).toEqual([null, 30, 22, 22, 30])
    expect(headlinePricesAt({ ...history, quoteLife: HOUR }, instants).at(-1)).toBe(22)
  })
})

describe('change rows', () => {
  const window = { from: start, to: after(2 * HOUR), closeTimeAt }

  it('start with the current price and add each change of a cent', () => {
    const trades = [
      trade(-60 * MINUTE, 40),
      trade(5 * MINUTE, 40.5),
      trade(20 * MINUTE, 41),
      trade(50 * MINUTE, 60),
      trade(55 * MINUTE, 41),
      trade(70 * MINUTE, 38),
    ]
    const rows = changeRows({ trades, quotes: [] }, window)
    expect(rows.map(({ at, price, delta }) => [(at - start) / MINUTE, price, delta])).toEqual([
      [0, 40, 0],
      [30, 41, 1],
      [75, 38, -3],
    ])
    expect(rows[0]?.cri).toBe(1.5)
    expect(rows[0]?.iy).toBeCloseTo(150 * 36.5, 6)
  })

  it('start at the first price when there is none at the beginning', () => {
    const rows = changeRows({ trades: [trade(20 * MINUTE, 50)], quotes: [] }, window)
    expect(rows.map(({ at, delta }) => [(at - start) / MINUTE, delta])).toEqual([[30, 0]])
  })

  it('are empty without a price', () => {
    expect(changeRows({ trades: [], quotes: [quote(0, 20, null)] }, window)).toEqual([])
  })

  it('have no ratios at the edge of the scale or past the close', () => {
    const closed = { ...window, closeTimeAt: () => start }
    expect(changeRows({ trades: [trade(0, 100)], quotes: [] }, window)[0]).toMatchObject({
      price: 100,
      iy: null,
      cri: null,
    })
    expect(changeRows({ trades: [trade(0, 40)], quotes: [] }, closed)[0]?.iy).toBeNull()
  })
})

describe('change rates', () => {
  const recorded =
    '20/-2, 19/-1, 20/1, 18/-2, 19/1, 18/-1, 19/1, 20/1, 21/1, 22/1, 21/-1, 22/1, 21/-1, 22/1, ' +
    '21/-1, 22/1, 23/1, 22/-1, 23/1, 22/-1, 21/-1, 22/1'
  const pairs = recorded.split(', ').map((pair) => pair.split('/').map(Number))
  const first = Date.UTC(2026, 5, 20, 3, 16, 21)
  const last = Date.UTC(2026, 5, 21, 7, 30, 55)
  const rows = pairs.map(([price = 0, delta = 0], index) => ({
    at: (first + ((last - first) * index) / (pairs.length - 1)) as Millis,
    price: c(price),
    delta,
  }))
  const longKnown = (last - 10 * DAY) as Millis
  const at = last as Millis

  it('reproduce the recorded market', () => {
    expect(changeRates(rows, at, longKnown)).toEqual({ iar: 0.78, rv: 471 })
  })
  it('are unknown for few rows, a short span or a young market', () => {
    const unknown = { iar: null, rv: null }
    expect(changeRates(rows.slice(0, 2), at, longKnown)).toEqual(unknown)
    expect(changeRates([], at, longKnown)).toEqual(unknown)
    expect(changeRates(rows, at, (last - 2 * DAY + 1) as Millis)).toEqual(unknown)
    const hurried = rows.map((row, index) => ({ ...row, at: (last - index) as Millis })).reverse()
    expect(changeRates(hurried, at, longKnown)).toEqual(unknown)
    expect(changeRates(rows, (last + 3 * DAY) as Millis, longKnown)).toEqual(unknown)
  })
})
