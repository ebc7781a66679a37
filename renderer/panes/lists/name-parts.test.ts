import { expect, it } from 'vitest'
import { nameParts, outcomeIn } from './name-parts.ts'

it.each([
  ['Brent on Friday: Above $80', 'Above $80', 'Brent on Friday', 'Above $80'],
  ['Who wins the nomination?', 'Josh Shapiro', 'Who wins the nomination?', 'Josh Shapiro'],
  ['Will Josh Shapiro win?', 'Josh Shapiro', 'Will Josh Shapiro win?', null],
  ['Iran deal?', null, 'Iran deal?', null],
  ['Arsenal', 'Arsenal', 'Arsenal', null],
  ['Arsenal', '  ', 'Arsenal', null],
  ['Will the decision be: Hike 0bps?', 'Hike 0bps', 'Will the decision be', 'Hike 0bps'],
  ['Will they meet? - Will they meet', 'Will they meet?', 'Will they meet?', null],
  [
    'Will US and Iran hold talks? - Will US and Iran hold direct talks?',
    'Will US and Iran hold direct talks?',
    'Will US and Iran hold direct talks?',
    null,
  ],
  ['Core CPI in 2026? - Above 3.1%', 'Above 3.1%', 'Core CPI in 2026?', 'Above 3.1%'],
])('splits “%s” by “%s”', (title, subtitle, lead, outcome) => {
  expect(nameParts(title, subtitle)).toEqual({ lead, outcome })
})

it('names a bare outcome by its event', () => {
  expect(nameParts('Arsenal', 'Arsenal', 'Who wins the league?')).toEqual({
    lead: 'Who wins the league?',
    outcome: 'Arsenal',
  })
  expect(nameParts('Iran deal?', null, 'Iran')).toEqual({ lead: 'Iran deal?', outcome: null })
})

it.each([
  ['Fed funds rate after March? - Above 3% - 4%', '4%'],
  ['Who wins Best Picture? - Dune', 'Dune'],
  ['Iran deal?', null],
  ['A week-end deal', null],
  ['- Dune', null],
  ['Who wins? - ', null],
])('finds the outcome at the end of “%s”', (title, outcome) => {
  expect(outcomeIn(title)).toBe(outcome)
})
