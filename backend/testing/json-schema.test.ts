import { describe, expect, it } from 'vitest'
import { violationOf } from './json-schema.ts'

const row = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    at: { type: 'string', format: 'date-time' },
    of: { type: 'array', items: { enum: ['x', 'y'] } },
    so: { const: true },
    from: { type: 'number', minimum: 0, maximum: 1 },
    two: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  },
}

describe('fitting a schema', () => {
  it.each([
    [{ a: 1, at: '2026-11-20T14:00:00.000Z', of: ['x', 'y'], so: true }],
    [{ a: null, of: [] }],
    [{ a: null, from: 0, two: [1, 2] }],
    [{ a: null, from: 1 }],
  ])('accepts %j', (value) => expect(violationOf(row, value)).toBeNull())

  it.each([
    [{}, 'required'],
    [{ a: 1.5 }, '$.a'],
    [{ a: 1, at: '2026-11-20' }, '$.at'],
    [{ a: 1, of: ['x', 'z'] }, '$.of[1]'],
    [{ a: 1, so: false }, '$.so'],
    [{ a: 1, from: -0.1 }, 'minimum'],
    [{ a: 1, from: 1.1 }, 'maximum'],
    [{ a: 1, two: [1] }, 'minItems'],
    [{ a: 1, two: [1, 2, 3] }, 'maxItems'],
    [{ a: 1, b: 2 }, 'b is not described'],
    [[], 'type object'],
  ])('refuses %j', (value, where) => expect(violationOf(row, value)).toContain(where))

  it('checks multiples', () => {
    expect(violationOf({ multipleOf: 2 }, 3)).toContain('multipleOf')
    expect(violationOf({ multipleOf: 2 }, 4)).toBeNull()
  })

  it('refuses unknown keywords', () => {
    expect(() => violationOf({ contains: {} }, [2])).toThrow('unknown word contains')
    expect(() => violationOf({ format: 'uuid' }, '')).toThrow('unknown format uuid')
  })
})
