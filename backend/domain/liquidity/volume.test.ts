import { expect, it } from 'vitest'
import type { Cents } from '../units.ts'
import { volumeIn } from './volume.ts'

it.each([
  ['usd', 200, 'contracts', 25, 50],
  ['usd', 200, 'usd', null, 200],
  ['contracts', 50, 'usd', 25, 200],
  ['contracts', 50, 'contracts', null, 50],
  ['contracts', 50, 'usd', null, null],
  ['contracts', 50, 'usd', 0, null],
  ['contracts', null, 'usd', 25, null],
] as const)('gives in %s the volume %s %s at %s¢ as %s', (target, volume, unit, price, result) => {
  expect(volumeIn(target, volume, unit, price as Cents | null)).toBe(result)
})
