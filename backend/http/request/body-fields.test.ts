import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { BodyFields } from './body-fields.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

/** What a reader makes of a body, or its message. */
function readFrom(body: unknown, read: (fields: BodyFields) => unknown): unknown {
  try {
    return read(new BodyFields(body))
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

describe('the fields of a body', () => {
  it.each([null, 7, 'text', [], undefined])('are those of an object, not of %j', (body) => {
    expect(readFrom(body, () => 'read')).toBe('body must be an object')
  })

  it('are the first of several names that was sent', () => {
    const body = { b: null, c: 3, toString: undefined }
    const raw = (...names: [string, ...string[]]) =>
      readFrom(body, (fields) => fields.raw(...names))
    expect([raw('a'), raw('a', 'b', 'c'), raw('a', 'c', 'b'), raw('toString')]).toEqual([
      undefined,
      null,
      3,
      undefined,
    ])
    expect(
      readFrom(body, (fields) => [fields.has('a'), fields.has('a', 'b'), fields.has()]),
    ).toEqual([false, true, false])
  })

  it.each([
    [undefined, { max: 3 }, undefined],
    [null, { max: 3 }, null],
    ['', { max: 3 }, ''],
    [' ab ', { max: 3 }, 'ab'],
    ['a\nb', { max: 3 }, 'a\nb'],
    ['a\tb', { max: 3 }, 'a\tb'],
    ['a\u0000b\u0007', { max: 3 }, 'ab'],
    ['🙂🙂🙂', { max: 3 }, '🙂🙂🙂'],
    ['abcd', { max: 3 }, 'name must be a string of at most 3 characters'],
    ['', { min: 1, max: 3 }, 'name must be a string of 1 to 3 characters'],
    ['a', { min: 1, max: 3 }, 'a'],
    [7, { max: 3 }, 'name must be a string of at most 3 characters'],
  ])('as text: %j within %j is %j', (name, bounds, expected) => {
    expect(readFrom({ name }, (fields) => fields.text('name', bounds))).toBe(expected)
    expect(readFrom({ alias: name }, (fields) => fields.text('name', bounds, 'alias'))).toBe(
      expected,
    )
  })

  it.each([
    [undefined, undefined],
    ['b', 'b'],
    ['d', 'name must be a, b or c'],
    [null, 'name must be a, b or c'],
  ])('as a word: %j is %j', (name, expected) => {
    const words = ['a', 'b', 'c'] as const
    expect(readFrom({ name }, (fields) => fields.word('name', words))).toBe(expected)
    expect(readFrom({ alias: name }, (fields) => fields.word('name', words, 'alias'))).toBe(
      expected,
    )
  })

  it.each([
    [undefined, undefined],
    [true, true],
    [false, false],
    ['true', 'name must be boolean'],
    [null, 'name must be boolean'],
  ])('as a flag: %j is %j', (name, expected) => {
    expect(readFrom({ name }, (fields) => fields.flag('name'))).toBe(expected)
  })

  const bounds = { min: 0, max: 10 }
  it.each([
    [undefined, bounds, undefined],
    [null, bounds, null],
    [0, bounds, 0],
    [10, bounds, 10],
    [10.5, bounds, 'name must be a number from 0 to 10'],
    [-1, bounds, 'name must be a number from 0 to 10'],
    ['5', bounds, 'name must be a number from 0 to 10'],
    [Number.NaN, bounds, 'name must be a number from 0 to 10'],
    [0, { ...bounds, above: true }, 'name must be a number above 0 and at most 10'],
    [0.1, { ...bounds, above: true }, 0.1],
    [5.5, { ...bounds, isInteger: true }, 'name must be an integer from 0 to 10'],
    [5, { ...bounds, isInteger: true }, 5],
  ] as const)('as a number: %j within %j is %j', (name, within, expected) => {
    expect(readFrom({ name }, (fields) => fields.number('name', within))).toBe(expected)
    expect(readFrom({ alias: name }, (fields) => fields.number('name', within, 'alias'))).toBe(
      expected,
    )
  })

  it.each([
    [undefined, undefined, undefined],
    [null, null, null],
    ['2026-11-20T15:00:00Z', NOW + 3_600_000, NOW + 3_600_000],
    ['2h', 'name must be an ISO 8601 time', NOW + 7_200_000],
    [
      'soon',
      'name must be an ISO 8601 time',
      'name must be an ISO 8601 time or a duration (<n>m|h|d)',
    ],
    [
      NOW,
      'name must be an ISO 8601 time',
      'name must be an ISO 8601 time or a duration (<n>m|h|d)',
    ],
  ])('as an instant: %j is %j, and %j from now', (name, plain, fromNow) => {
    expect(readFrom({ name }, (fields) => fields.instant('name'))).toBe(plain)
    expect(readFrom({ name }, (fields) => fields.instant('name', NOW))).toBe(fromNow)
  })
})
