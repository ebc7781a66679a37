import { expect, it } from 'vitest'
import {
  formatBrier,
  formatProbability,
  formatPoints,
  formatReturn,
  thesisRefusal,
  typedProbability,
} from './thesis-labels.ts'

it.each([
  [0.625, '62.5%', '+62.5 pp'],
  [0, '0%', '0 pp'],
  [-0.042, '−4.2%', '−4.2 pp'],
  [null, '–', '–'],
  [undefined, '–', '–'],
])('%s is %s, as a change %s', (chance, text, points) => {
  expect([formatProbability(chance), formatPoints(chance)]).toEqual([text, points])
})

it('scores have three decimals, returns a sign', () => {
  expect([formatBrier(0.0676), formatBrier(null)]).toEqual(['0.068', '–'])
  expect([37.12, 0, -3, null].map(formatReturn)).toEqual(['+37.1%', '0%', '−3%', '–'])
})

it.each([
  ['40%', 0.4],
  ['0.4', 0.4],
  ['40', 0.4],
  ['1', 1],
  ['1%', 0.01],
  ['100', 1],
  ['0.5%', 0.005],
  ['101', null],
  ['101%', null],
  ['-1', null],
  ['many', null],
])('a probability typed as %s is %s', (text, probability) => {
  expect(typedProbability(text)).toBe(probability)
})

const failure = {
  kind: 'refused',
  status: 400,
  code: null,
  message: 'it is no claim',
  retryAfter: null,
} as const
it.each([
  [{}, 'It is no claim.'],
  [{ code: 'OTHER', details: { hint: 'Name a date.' } }, 'It is no claim. Name a date.'],
  [{ details: { hint: 5 } }, 'It is no claim.'],
  [
    { code: 'THESIS_NOT_ACTIVE', details: { hint: 'Name a date.' } },
    'The thesis is not active. Set it to active first.',
  ],
])('a refusal %j: %s', (change, text) => {
  expect(thesisRefusal({ ...failure, ...change })).toBe(text)
})
