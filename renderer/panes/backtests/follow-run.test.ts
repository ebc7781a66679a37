import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { BacktestEvent } from '../../../backend/contract/backtests.ts'
import { followRun, type EventStream } from './follow-run.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Events of a run, written as objects. */
function setUp() {
  const opened: EventTarget[] = []
  let closed = 0
  const received: (readonly [BacktestEvent, boolean])[] = []
  const streams: boolean[] = []
  const stop = followRun(
    '/api/backtests/bt_1',
    {
      onreport: (event, isOver) => received.push([event, isOver]),
      onstream: (is) => streams.push(is),
    },
    () => {
      const target = new EventTarget()
      opened.push(target)
      return Object.assign(target, { close: () => void (closed += 1) }) as unknown as EventStream
    },
  )
  const emit = (kind: string, state: string, progress: number) =>
    opened.at(-1)?.dispatchEvent(
      new MessageEvent(kind, {
        data: JSON.stringify({ id: 'bt_1', state, progress, error: null }),
      }),
    )
  const breakOff = () => opened.at(-1)?.dispatchEvent(new Event('error'))
  return { opened, received, streams, emit, breakOff, stop, closed: () => closed }
}

it('[terminal.backtest.progress] receives each event until the end, and opens no stream after it', () => {
  const { opened, received, emit, breakOff, closed } = setUp()
  emit('progress', 'running', 0.25)
  emit('end', 'done', 1)
  breakOff()
  vi.advanceTimersByTime(60_000)
  expect(received.map(([{ progress }, isOver]) => [progress, isOver])).toEqual([
    [0.25, false],
    [1, true],
  ])
  expect([opened.length, closed() > 0]).toEqual([1, true])
})

it('[terminal.backtest.poll] reports silent events, and reopens the stream with increasing delays', () => {
  const { opened, streams, emit, breakOff, stop } = setUp()
  emit('progress', 'running', 0.1)
  breakOff()
  expect(streams).toEqual([true, false])
  vi.advanceTimersByTime(1_999)
  expect(opened).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(opened).toHaveLength(2)
  breakOff()
  vi.advanceTimersByTime(3_999)
  expect(opened).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(opened).toHaveLength(3)
  emit('progress', 'running', 0.2)
  expect(streams.at(-1)).toBe(true)
  stop()
  breakOff()
  vi.advanceTimersByTime(60_000)
  expect(opened).toHaveLength(3)
})

it('skips what it cannot parse', () => {
  const { received, opened, stop } = setUp()
  opened[0]?.dispatchEvent(new MessageEvent('progress', { data: '<html>' }))
  expect(received).toEqual([])
  stop()
})
