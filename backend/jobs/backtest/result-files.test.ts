import { describe, expect, it } from 'vitest'
import { cellOf } from './result-files.ts'

describe('a cell of a result written as CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['=5', "'=5"],
    ['@5', "'@5"],
    ['+a', "'+a"],
    ['-a', "'-a"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
  ])('is no formula for %j', (text, written) => expect(cellOf(text)).toBe(written))

  it.each(['-5', '+5', '-0.25', '-1e-7', '5', ''])('stays the number %j', (text) =>
    expect(cellOf(text)).toBe(text),
  )
})
