import { expect, it } from 'vitest'
import { readStoredOrProblem, writeStored, setAside, reportingStorage } from './key-value-store.ts'

const keepOf = (items: Record<string, string> = {}) => ({
  items,
  getItem: (name: string) => items[name] ?? null,
  setItem: (name: string, text: string) => void (items[name] = text),
})
const whole = (value: Record<string, unknown>) => value

it.each([
  [undefined, null],
  ['{"version":1,"a":2}', null],
  ['{"version":2}', 'newer'],
  ['{"version":0}', 'unreadable'],
  ['{', 'unreadable'],
  ['[]', 'unreadable'],
])('reports %s as %s', (text, trouble) => {
  const keep = keepOf(text === undefined ? {} : { x: text })
  expect(readStoredOrProblem(keep, 'x', 1, whole).problem).toBe(trouble)
})

it('sets aside what it cannot read', () => {
  const keep = keepOf({ x: '{"version":2}' })
  setAside(keep, 'x')
  writeStored(keep, 'x', 1, {})
  expect(keep.items['x.aside']).toBe('{"version":2}')
})

it('reports once that nothing can be stored, until something is [terminal.window.storage]', () => {
  let isFull = true
  let reports = 0
  const store = {
    getItem: () => null,
    setItem: () => {
      if (isFull) throw new Error('QuotaExceededError')
    },
  }
  const keep = reportingStorage(store, () => (reports += 1))
  expect([writeStored(keep, 'x', 1, {}), writeStored(keep, 'x', 1, {}), reports]).toEqual([
    false,
    false,
    1,
  ])
  isFull = false
  expect(writeStored(keep, 'x', 1, {})).toBe(true)
  isFull = true
  writeStored(keep, 'x', 1, {})
  expect(reports).toBe(2)
})
