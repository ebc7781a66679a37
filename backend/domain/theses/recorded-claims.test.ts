import { describe, expect, it } from 'vitest'
import { finderBoard } from '../../testing/finder-questions.ts'
import { recordedClaims, recordedTexts, scoreFormation } from '../../testing/thesis-claims.ts'
import { claimFault } from './claim.ts'

describe('formation of recorded claims', () => {
  const board = finderBoard()
  const claims = recordedClaims()

  it('[theses.formation.quality] binds the markets that a person binds', () => {
    expect(new Set(claims.map(({ claim }) => claim)).size).toBe(60)
    expect(claims.filter(({ split }) => split === 'held-out')).toHaveLength(30)
    for (const split of ['dev', 'held-out']) {
      const { precision, recall } = scoreFormation(
        board,
        claims.filter((one) => one.split === split),
      )
      expect(precision, split).toBeGreaterThanOrEqual(0.9)
      expect(recall, split).toBeGreaterThanOrEqual(0.7)
    }
  })

  it('[theses.create.refused] refuses 40 texts with their reasons', () => {
    const { refused } = recordedTexts()
    expect(refused).toHaveLength(40)
    expect(refused.map(({ text }) => ({ text, reason: claimFault(text)?.reason }))).toEqual(refused)
  })

  it('accepts 40 unusual claims', () => {
    const { accepted } = recordedTexts()
    expect(new Set(accepted).size).toBe(40)
    expect(accepted.filter((text) => claimFault(text) !== null)).toEqual([])
  })
})
