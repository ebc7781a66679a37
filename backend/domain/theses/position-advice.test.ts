import { expect, it } from 'vitest'
import type { ThesisPosition } from './holdings.ts'
import { adviceOn } from './position-advice.ts'

const position = (direction: 'yes' | 'no', ticker = 'KX'): ThesisPosition =>
  ({ id: 'pos_1', ticker, direction, exitedAt: null }) as ThesisPosition
const edgeOf = (thesisPrice: number) => [{ ticker: 'KX', thesisPrice, evaluatedPrice: 50 }]

it.each([
  ['yes', 56, 'increase', 'the thesis prices YES 6¢ above the market'],
  ['yes', 53, 'hold', 'the thesis prices YES 3¢ above the market'],
  ['yes', 50.5, 'reduce', 'the thesis prices YES 0.5¢ above the market'],
  ['yes', 48, 'close', 'the thesis prices YES 2¢ below the market'],
  ['no', 44, 'increase', 'the thesis prices NO 6¢ above the market'],
  ['no', 53, 'close', 'the thesis prices NO 3¢ below the market'],
] as const)('%s at a thesis price of %s: %s', (direction, price, recommendation, reason) => {
  expect(adviceOn([position(direction)], edgeOf(price), 'active')).toEqual([
    { positionId: 'pos_1', recommendation, reason },
  ])
})

it('closes positions of a killed thesis, holds what it does not price, and leaves exited ones out', () => {
  const [killed] = adviceOn([position('yes')], edgeOf(90), 'killed')
  expect(killed?.recommendation).toBe('close')
  const [unpriced] = adviceOn([position('yes', 'OTHER')], edgeOf(90), 'active')
  expect(unpriced?.recommendation).toBe('hold')
  const exited = { ...position('yes'), exitedAt: 1 as never }
  expect(adviceOn([exited], edgeOf(90), 'active')).toEqual([])
})
