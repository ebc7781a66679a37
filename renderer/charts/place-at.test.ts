import { expect, it } from 'vitest'
import { indexAt, type Slot } from './series.ts'

const slots: readonly Slot[] = [60, 120, 180].map((time) => ({ time, candle: null }))

it.each([
  [59, -1],
  [60, 0],
  [119, 0],
  [180, 2],
  [9_999, 2],
])('the bar at or before %d is at place %d', (time, place) =>
  expect(indexAt(slots, time)).toBe(place),
)
