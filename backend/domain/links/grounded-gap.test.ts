import { describe, expect, it } from 'vitest'
import type { Cents } from '../units.ts'
import type { ContagionGap } from './contagion.ts'
import { isGrounded, isSameQuestion } from './grounded-gap.ts'
import type { MarketLink } from './link-graph.ts'

const ends = (fromI: number, toI: number, fromJ: number, toJ: number) =>
  [
    { before: fromI as Cents, move: toI - fromI },
    { before: fromJ as Cents, move: toJ - fromJ },
  ] as const

const gapOn = (
  kind: MarketLink['kind'],
  numbers: { readonly gap: number; readonly expected: number },
  link: Partial<MarketLink> = {},
): ContagionGap =>
  ({
    ...numbers,
    direction: 'lagging',
    link: { kind, sign: 1, confidence: 0.9, ...link },
  }) as ContagionGap

describe('a gap that shows two prices to disagree', () => {
  it('is one between prices of one question that are apart now', () => {
    const gap = gapOn('cross_venue', { gap: 12, expected: 12 })
    expect(isGrounded(gap, ...ends(40, 52, 40, 40), 0)).toBe(true)
    // The venue that had left comes back: its move closes a gap.
    expect(isGrounded(gap, ...ends(28, 40, 40, 40), 0)).toBe(false)
    // The gap is the other way round.
    expect(isGrounded(gap, ...ends(20, 32, 40, 40), 0)).toBe(false)
  })

  it('compares opposite questions by what is left to 100', () => {
    const inverted = gapOn('cross_venue', { gap: -12, expected: -12 }, { sign: -1 })
    expect(isGrounded(inverted, ...ends(40, 52, 60, 60), 0)).toBe(true)
    expect(isGrounded(inverted, ...ends(28, 40, 60, 60), 0)).toBe(false)
  })

  it('is no rung of a ladder whose expected move exceeds an equal shift of the log odds', () => {
    const gap = gapOn('ladder', { gap: 22, expected: 22.4 })
    // From 50 to 78 near the strike is 3 to 10 far from it.
    expect(isGrounded(gap, ...ends(50, 78, 3, 6), 0)).toBe(false)
    expect(isGrounded(gap, ...ends(50, 78, 45, 46), 0)).toBe(true)
  })

  it.each(['thematic', 'series_sibling'] as const)(
    'is one by habit (%s) only when enough hours show the habit and a move is still expected',
    (kind) => {
      const gap = gapOn(kind, { gap: 8, expected: 8 })
      const moved = ends(30, 50, 40, 40)
      expect(isGrounded(gap, ...moved, 20)).toBe(true)
      expect(isGrounded(gap, ...moved, 19)).toBe(false)
      expect(isGrounded({ ...gap, direction: 'overshooting' }, ...moved, 20)).toBe(false)
    },
  )

  it('trusts lead and lag, which were tested before they became a link', () => {
    const gap = gapOn('lead_lag', { gap: 8, expected: 8 })
    expect(isGrounded(gap, ...ends(30, 50, 40, 40), 0)).toBe(true)
  })

  it('needs prices at both ends', () => {
    const gap = gapOn('cross_venue', { gap: 12, expected: 12 })
    const [trigger] = ends(40, 52, 40, 40)
    expect(isGrounded(gap, trigger, { before: null, move: null }, 0)).toBe(false)
  })

  it('treats a pair held down by its rules as a habit, not as one question', () => {
    expect(isSameQuestion({ kind: 'cross_venue', confidence: 0.75 })).toBe(true)
    expect(isSameQuestion({ kind: 'cross_venue', confidence: 0.74 })).toBe(false)
    expect(isSameQuestion({ kind: 'thematic', confidence: 0.9 })).toBe(false)
    const capped = gapOn('cross_venue', { gap: 12, expected: 12 }, { confidence: 0.74 })
    expect(isGrounded(capped, ...ends(40, 52, 40, 40), 20)).toBe(true)
    expect(isGrounded(capped, ...ends(40, 52, 40, 40), 0)).toBe(false)
  })
})
