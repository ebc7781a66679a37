import { expect, it } from 'vitest'
import { boundedText } from './bounded-text.ts'

it('keeps a text that fits and states how much of a longer one was cut', () => {
  expect(boundedText('a'.repeat(100), 100)).toBe('a'.repeat(100))
  const cut = boundedText('x'.repeat(200_000_000), 500)
  expect(cut).toBe(`${'x'.repeat(452)}… [199999548 more characters were cut]`)
  expect(cut.length).toBeLessThanOrEqual(500)
  expect(boundedText(cut, 500)).toBe(cut)
})

it('splits no character in two', () => {
  const text = `${'a'.repeat(51)}😀${'b'.repeat(60)}`
  expect(boundedText(text, 100)).toBe(`${'a'.repeat(51)}… [62 more characters were cut]`)
  expect(boundedText('\uDC00'.repeat(200), 100).isWellFormed()).toBe(true)
})
