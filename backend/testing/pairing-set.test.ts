import { describe, expect, it } from 'vitest'
import { committedFillers, PAIRING_SETS, pairingSet, scorePairing } from './pairing-set.ts'

describe('pairs of the labelled sets among 4,000 other titles', () => {
  const set = pairingSet()
  const fillers = committedFillers().slice(0, 4_000)
  const { sets, others } = scorePairing([...set.markets.values(), ...fillers], set.pairs, set.read)

  it.each(PAIRING_SETS)('have precision ≥ 0.98 at recall ≥ 0.85: %s', (name) => {
    const { same, found, wrong } = sets[name]
    expect(found / same).toBeGreaterThanOrEqual(0.85)
    expect(found / (found + wrong)).toBeGreaterThanOrEqual(0.98)
  })

  it('name markets of the set', () => {
    for (const { a, b } of set.pairs) {
      expect(set.markets.has(a)).toBe(true)
      expect(set.markets.has(b)).toBe(true)
    }
    expect(others.served).toBeLessThan(100)
  })
})
