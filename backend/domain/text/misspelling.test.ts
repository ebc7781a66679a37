import { expect, it } from 'vitest'
import { isMisspelling } from './misspelling.ts'

it.each([
  ['hegsith', 'hegseth', true],
  ['zelinski', 'zelenskyi', true],
  ['eurovison', 'eurovis', true],
  ['mbap', 'mbapp', true],
  ['khameini', 'khamenei', true],
  ['hegseth', 'hegseth', false],
  ['litecoin', 'bitcoin', false],
  ['iran', 'iraq', false],
  ['seattle', 'seoul', false],
  ['2026', '2027', false],
])('%s for %s: %s', (written, known, expected) =>
  expect(isMisspelling(written, known)).toBe(expected),
)
