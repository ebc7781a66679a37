import { expect, it } from 'vitest'
import { FlashGate } from './flash.ts'

it('flashes at most three times in any second', () => {
  const gate = new FlashGate()
  expect([0, 100, 200, 300, 999, 1000, 1050, 1100].map((at) => gate.mayFlash(at))).toEqual([
    true,
    true,
    true,
    false,
    false,
    true,
    false,
    true,
  ])
})
