import { expect, it } from 'vitest'
import { nameParts } from './name-parts.ts'

it.each([
  ['Brent on Friday: Above $80', 'Above $80', 'Brent on Friday', 'Above $80'],
  ['Who wins the nomination?', 'Josh Shapiro', 'Who wins the nomination?', 'Josh Shapiro'],
  ['Will Josh Shapiro win?', 'Josh Shapiro', 'Will Josh Shapiro win?', null],
  ['Iran deal?', null, 'Iran deal?', null],
  ['Arsenal', 'Arsenal', 'Arsenal', null],
  ['Arsenal', '  ', 'Arsenal', null],
])('splits «%s» with «%s»', (title, subtitle, lead, outcome) => {
  expect(nameParts(title, subtitle)).toEqual({ lead, outcome })
})
