import { expect, it } from 'vitest'
import { portfolioLines, positionText } from './position-line.ts'

const HELD = {
  title: 'Will the ceasefire hold to January?',
  direction: 'yes',
  quantity: 20,
  avgPrice: 44,
  price: 52,
  unrealizedPnlCents: 160,
}

it.each([
  [HELD, '20 yes, 44¢ → 52¢, +$1.60'],
  [{ ...HELD, price: 43.75, unrealizedPnlCents: -5 }, '20 yes, 44¢ → 43.75¢, -$0.05'],
  [{ ...HELD, price: 44, unrealizedPnlCents: 0 }, '20 yes, 44¢ → 44¢, $0.00'],
  [{ ...HELD, price: null, unrealizedPnlCents: null }, '20 yes, 44¢ → –, –'],
])('shows the position, its cost and its price', (position, text) => {
  expect(positionText(position)).toBe(text)
})

it('lists positions with their dossiers, and nothing without positions', () => {
  expect(portfolioLines([{ ...HELD, url: 'http://a/inspect/KX' }])).toEqual([
    '## Portfolio',
    '- 20 yes, 44¢ → 52¢, +$1.60 — Will the ceasefire hold to January? · `GET http://a/inspect/KX`',
  ])
  expect(portfolioLines([])).toEqual([])
})
