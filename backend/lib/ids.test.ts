import { describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { newId } from './ids.ts'

const at = (text: string) => Date.parse(text) as Millis

describe('newId', () => {
  it('is a prefix and twenty characters', () => {
    for (const now of [0 as Millis, at('2026-11-20'), at('4000-01-01')]) {
      expect(newId('dkey', now)).toMatch(/^dkey_[0-9a-z]{20}$/)
    }
  })

  it('sorts by time, and in the order of creation within one instant', () => {
    const times = [
      '2001-01-01',
      '2026-11-20T14:00:00.000Z',
      '2026-11-20T14:00:00.001Z',
      '2100-01-01',
    ]
    const ids = times.map((time) => newId('ses', at(time)))
    expect(ids.toSorted()).toEqual(ids)
    const now = at('2026-11-20')
    const sameInstant = Array.from({ length: 1_000 }, () => newId('ses', now))
    expect(sameInstant.toSorted()).toEqual(sameInstant)
    expect(new Set(sameInstant).size).toBe(1_000)
  })
})
