import { expect, it } from 'vitest'
import { arePlacedEqually, groupMarks } from './mark-kinds.ts'

it('marks that would overlap share a target [terminal.chart.marks]', () => {
  const places = [
    { id: 'c', x: 60, y: 100 },
    { id: 'a', x: 10, y: 100 },
    { id: 'b', x: 30, y: 100 },
    { id: 'above', x: 12, y: 40 },
  ]
  expect(groupMarks(places, 24)).toEqual([
    { x: 10, y: 100, ids: ['a', 'b'] },
    { x: 12, y: 40, ids: ['above'] },
    { x: 60, y: 100, ids: ['c'] },
  ])
  expect(groupMarks([], 24)).toEqual([])
})

it('marks that stay at their pixel are not placed again', () => {
  const at = [{ id: 'a', x: 10, y: 20 }]
  expect(arePlacedEqually(at, [{ id: 'a', x: 10.3, y: 20 }])).toBe(true)
  expect(arePlacedEqually(at, [{ id: 'a', x: 12, y: 20 }])).toBe(false)
  expect(arePlacedEqually(at, [{ id: 'b', x: 10, y: 20 }])).toBe(false)
  expect(arePlacedEqually(at, [])).toBe(false)
})
