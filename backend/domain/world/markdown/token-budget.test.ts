import { expect, it } from 'vitest'
import { formsThatFit, MARKDOWN_PARAMS, tokensOf } from './token-budget.ts'

it.each([
  ['', 0],
  ['abcdef', 2],
  ['abcdefg hijklmn', 4],
  ['ABCDE', 3],
  ['1234567', 3],
  ['1234567890', 4],
  ['!?!?!?', 6],
  ['\n\n\n', 1],
  ['az AZ 09', 3],
  ['            ', 3],
])('"%s" has %d tokens', (text, tokens) => {
  expect(tokensOf(text)).toBe(tokens)
})

const items = (count: number, full = 130, line = 30) =>
  Array.from({ length: count }, () => ({ full, line }))

it('C5: shows five in full, then lines, within 800 tokens', () => {
  const { forms, left } = formsThatFit(MARKDOWN_PARAMS.tokens, 60, items(9))
  expect(forms).toEqual([...Array<string>(5).fill('full'), 'line', 'line', 'line', 'left out'])
  expect(left).toBe(0)
})

it('shows three lines whatever the budget', () => {
  const { forms, left } = formsThatFit(0, 60, items(4))
  expect(forms).toEqual(['line', 'line', 'line', 'left out'])
  expect(left).toBe(-150)
})

it('shows no later item in a form that an earlier one had no room for', () => {
  const mixed = [
    { full: 900, line: 30 },
    { full: 10, line: 5 },
    { full: 10, line: 5 },
    { full: 10, line: 900 },
    { full: 10, line: 5 },
  ]
  expect(formsThatFit(100, 0, mixed).forms).toEqual([
    'line',
    'line',
    'line',
    'left out',
    'left out',
  ])
})
