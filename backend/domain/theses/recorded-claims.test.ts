import { describe, expect, it } from 'vitest'
import { finderBoard } from '../../testing/finder-questions.ts'
import {
  formedBy,
  recordedClaims,
  recordedTexts,
  scoreFormation,
  sidesOf,
} from '../../testing/thesis-claims.ts'
import { claimProblem } from './claim.ts'

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

  // A thesis on the wrong side of its market loses money on a claim that comes true.
  it.each([
    ['Xi Jinping will stay in power through 2026', [['Xi Jinping out before 2027?', -1]]],
    [
      'Putin will remain president of Russia until the end of 2026',
      [
        ['Putin out as President of Russia by end of 2026?', -1],
        ['Putin out as President of Russia by December 31, 2026?', -1],
      ],
    ],
    [
      'Republicans will lose the House after the 2026 midterm elections',
      [['Will the Republican Party control the House after the 2026 Midterm elections?', -1]],
    ],
    ['No human will land on the Moon in 2026', [['Human moon landing in 2026?', -1]]],
    [
      'Neither Russia nor Ukraine will agree to a ceasefire in 2026',
      [['Russia x Ukraine ceasefire by end of 2026?', -1]],
    ],
    [
      'Spain will not win the 2026 World Cup because Lamine Yamal is injured',
      [
        ['Will Spain win the 2026 FIFA World Cup?', -1],
        ["Will the Spain win the 2026 Men's World Cup?", -1],
      ],
    ],
    [
      'Xi Jinping refuses to step down before 2027',
      [
        ['Xi Jinping out before 2027?', -1],
        [
          'Will Xi Jinping leave General Secretary of the Communist Party of China before Jan 1, 2027?',
          -1,
        ],
      ],
    ],
    [
      'Anyone but Spain will win the 2026 World Cup',
      [
        ['Will Spain win the 2026 FIFA World Cup?', -1],
        ["Will the Spain win the 2026 Men's World Cup?", -1],
      ],
    ],
    ['At most two Fed rate cuts will happen in 2026', []],
    ['Spain or France will win the 2026 World Cup', []],
    ['A man who thinks Bitcoin will reach $100,000 in April will be disappointed', []],
    [
      'If Kevin Warsh is confirmed as Fed chair, the Fed will cut rates by at least 50 bps at the July 2026 meeting',
      [
        ['Will the Fed decrease interest rates by 50+ bps after the July 2026 meeting?', 1],
        ['Will Kevin Warsh be confirmed as Fed Chair?', 1],
      ],
    ],
    [
      'OpenAI will IPO before 2027 while Anthropic stays private',
      [
        ['OpenAI IPO before 2027?', 1],
        ['Will OpenAI not IPO by December 31, 2026?', -1],
      ],
    ],
  ] as const)('[theses.formation.sides] takes the right side: %s', (claim, sides) => {
    expect(sidesOf(board, claim)).toEqual(sides)
  })

  it('anchors a level that is kept on the opposite of the one that is reached', () => {
    const { nodes } = formedBy(board, 'Bitcoin will stay below $100,000 in April').tree
    expect(nodes[0]?.rationale).toContain('“Will Bitcoin reach $100,000 in April?”')
    expect(nodes[0]?.rationale).toContain('asks the opposite')
  })

  it('[theses.create.refused] refuses 40 texts with their reasons', () => {
    const { refused } = recordedTexts()
    expect(refused).toHaveLength(40)
    expect(refused.map(({ text }) => ({ text, reason: claimProblem(text)?.reason }))).toEqual(
      refused,
    )
  })

  it('accepts 40 unusual claims', () => {
    const { accepted } = recordedTexts()
    expect(new Set(accepted).size).toBe(40)
    expect(accepted.filter((text) => claimProblem(text) !== null)).toEqual([])
  })
})
