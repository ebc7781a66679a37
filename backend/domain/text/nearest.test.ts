import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

describe('nearest', () => {
  const names = ['serve', 'import', 'markets', 'market', 'candles']
  it.each([
    ['mrket', 'market'],
    ['marktes', 'markets'],
    ['candels', 'candles'],
    ['SERVE', 'serve'],
  ])('finds the name that %s resembles', (typed, expected) => {
    const found = nearest(typed, names)
    expect(found).toHaveLength(3)
    expect(found[0]).toBe(expected)
  })
})
