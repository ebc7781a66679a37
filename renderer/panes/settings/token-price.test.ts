import { expect, it } from 'vitest'
import { typedPrice } from './token-price.ts'

it.each([
  ['0.8/4', { input: 0.8, output: 4 }],
  [' $3 / $15 ', { input: 3, output: 15 }],
  ['0/0', { input: 0, output: 0 }],
  ['10000/10000', { input: 10_000, output: 10_000 }],
  ['', null],
  ['  ', null],
  ['0.8', undefined],
  ['0.8/', undefined],
  ['-1/4', undefined],
  ['1e3/4', undefined],
  ['10001/4', undefined],
  ['1/10001', undefined],
  ['1/2/3', undefined],
])('reads the price %j', (text, price) => {
  expect(typedPrice(text)).toEqual(price)
})
