import { describe, expect, it } from 'vitest'
import { isTooDeep } from './json-depth.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('depth of a JSON text', () => {
  it.each([
    ['a hundred levels', nested(100), false],
    ['a hundred and one levels', nested(101), true],
    ['objects', '{"a":'.repeat(101), true],
    ['many beside each other', `[${Array(500).fill('[{}]').join()}]`, false],
    ['signs within a text', JSON.stringify(['"\\', '['.repeat(500), '\\"']), false],
    ['levels behind a text', `["\\"[", ${nested(100)}]`, true],
    ['lines', '{"a":[1]}\n'.repeat(500), false],
  ])('%s', (_what, text, expected) => {
    expect(isTooDeep(text)).toBe(expected)
  })
})
