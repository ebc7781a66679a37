import { describe, expect, it } from 'vitest'
import { repeatsNames } from './repeated-names.ts'

describe('repeated member names', () => {
  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1, "b":{}, "a" : 2}'],
    [String.raw`{"a":1,"\u0061":2}`],
    ['{"x":[{"b":1,"b":1}]}'],
    ['{"x":{"y":{"b":1,"c":2,"b":3}}}'],
    [String.raw`{"q\"":1,"q\"":2}`],
  ])('are found in %s', (json) => {
    expect(repeatsNames(json)).toBe(true)
  })

  it.each([
    ['{}'],
    ['[]'],
    ['"a"'],
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}'],
    ['{"a":"a","b":"a"}'],
    [String.raw`{"a":"{\"b\":1,\"b\":2}"}`],
    ['{"a":["a","a","a"]}'],
    [String.raw`{"a":"\\","b":"\\"}`],
  ])('are absent from %s', (json) => {
    expect(repeatsNames(json)).toBe(false)
  })

  it('are found in linear time', () => {
    const long = `{${Array.from({ length: 2_000 }, (_, i) => `"n${i}":"${'\\\\'.repeat(50)}"`).join()}}`
    const started = process.hrtime.bigint()
    expect(repeatsNames(long)).toBe(false)
    expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(1_000)
  })
})
