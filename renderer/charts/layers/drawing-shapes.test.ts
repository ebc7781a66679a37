import { describe, expect, it } from 'vitest'
import type { Drawing } from './drawing.ts'
import { isNear, moveText, priceOnLine } from './drawing-shapes.ts'

const from = { time: 0, price: 20 }
const to = { time: 86_400, price: 40 }

it('a line has a price between its ends, in either direction', () => {
  expect(priceOnLine({ from, to }, 43_200)).toBe(30)
  expect(priceOnLine({ from: to, to: from }, 43_200)).toBe(30)
  expect(priceOnLine({ from, to }, -1)).toBeNull()
})

describe('a point on a drawing [terminal.chart.drawings]', () => {
  const span = (kind: 'trend' | 'range' | 'measure'): Drawing => ({ id: '', kind, from, to })
  it.each([
    ['trend', 43_200, 31, true],
    ['trend', 43_200, 36, false],
    ['trend', 90_000, 40, false],
    ['range', 10, 39, true],
    ['range', 10, 41, false],
    ['measure', 86_400, 40, true],
  ] as const)('%s at %i s and %i¢: %s', (kind, time, price, hit) => {
    expect(isNear(span(kind), { time, price })).toBe(hit)
  })
})

it.each([
  [from, to, '+20.0¢ (+100%) in 1d 0h'],
  [to, from, '−20.0¢ (−50%) in 1d 0h'],
  [{ time: 0, price: 0 }, { time: 5_400, price: 3 }, '+3.0¢ in 1h 30m'],
])('a move from %o to %o is %s', (start, end, text) => {
  expect(moveText({ from: start, to: end })).toBe(text)
})
