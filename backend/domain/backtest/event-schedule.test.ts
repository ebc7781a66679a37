import { beforeEach, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { BacktestState } from './backtest-state.ts'
import { EventSchedule } from './event-schedule.ts'
import { EVENT_PRIORITIES } from './timer-heap.ts'

let state: BacktestState
let schedule: EventSchedule
const put = (at: number, kind: 'timer' | 'timetable' | 'sample', rank = 0): void => {
  const event =
    kind === 'timer'
      ? { kind, name: 'T', every: null }
      : kind === 'sample'
        ? { kind }
        : { kind, market: rank }
  schedule.put(at as Millis, EVENT_PRIORITIES[kind], event, rank)
}
const kindOf = (found: ReturnType<EventSchedule['popBefore']>) => found?.value.kind ?? null
const before = (at: number) => kindOf(schedule.popBefore(at))
const until = (at: number) => kindOf(schedule.popUntil(at as Millis))

beforeEach(() => {
  state = new BacktestState(0 as Millis)
  schedule = new EventSchedule(state)
})

it('emits events of the venue before a row of the same instant, those of the strategy after it', () => {
  put(10, 'timetable')
  put(10, 'timer')
  expect([before(9), before(10), before(10), before(11), before(99)]).toEqual([
    null,
    'timetable',
    null,
    'timer',
    null,
  ])
})

it('emits the earlier of two events, and the one of the venue first at one instant', () => {
  put(20, 'timetable')
  put(10, 'timer')
  put(20, 'sample')
  expect([until(30), until(30), until(30), until(30)]).toEqual([
    'timer',
    'timetable',
    'sample',
    null,
  ])
})

it('L1: emits events of one instant in the order of their kinds', () => {
  const kinds = ['sample', 'order', 'timer', 'settlement', 'timetable', 'version'] as const
  for (const [market, kind] of kinds.entries()) {
    schedule.put(10 as Millis, EVENT_PRIORITIES[kind], { kind: 'timetable', market })
  }
  const emitted = kinds.map(() => schedule.popUntil(10 as Millis)?.value)
  expect(emitted).toEqual([5, 4, 3, 2, 1, 0].map((market) => ({ kind: 'timetable', market })))
})

it('emits what is due at the end of a run, and nothing later', () => {
  put(10, 'sample')
  expect([until(9), until(10), until(10)]).toEqual([null, 'sample', null])
})

it('sorts the markets of one instant', () => {
  put(10, 'timetable', 7)
  put(10, 'timetable', 3)
  expect(schedule.popUntil(10 as Millis)?.value).toMatchObject({ market: 3 })
})

it('stops a batch of trades at an earlier event, and at no later one', () => {
  state.stop = 500
  put(10, 'sample')
  expect([state.horizon, state.stop]).toEqual([10, 0])
  state.stop = 500
  put(10, 'sample')
  put(11, 'timetable')
  expect([state.horizon, state.stop]).toEqual([10, 500])
  put(9, 'timetable')
  expect([state.horizon, state.stop]).toEqual([9, 0])
})

it('sets the horizon to the next event, when a row comes before it', () => {
  put(10, 'sample')
  put(30, 'sample')
  expect(before(20)).toBe('sample')
  expect([before(20), state.horizon]).toEqual([null, 30])
  expect([before(31), before(31), state.horizon]).toEqual(['sample', null, Infinity])
})
