import { expect, it } from 'vitest'
import { typedNumber } from './typed-number.ts'

it.each([
  ['10', 10],
  [' 10,5 ', 10.5],
  ['0,125', 0.125],
  ['1,000', 1_000],
  ['-12,345.5', -12_345.5],
  ['1,0000', 1],
  ['0', 0],
  ['−2', -2],
  ['', null],
  [' ', null],
  ['many', null],
  ['1e999', null],
  ['1,000,00', null],
])('reads the number “%s” as %s', (text, number) => {
  expect(typedNumber(text)).toBe(number)
})
