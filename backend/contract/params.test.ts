import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from '../http/request/pagination.ts'
import * as param from './params.ts'

describe('parameters', () => {
  // [conventions.parameters.booleans]
  it.each(['true', 'TRUE', '1', ' True '])('reads %s as true', (sent) =>
    expect(param.flag('x').read(sent, 'x')).toBe(true),
  )
  it.each(['false', 'FALSE', '0'])('reads %s as false', (sent) =>
    expect(param.flag('x').read(sent, 'x')).toBe(false),
  )

  it('trims a list and drops its empty and repeated parts', () => {
    expect(param.list().read(' a,, b ,a,', 'x')).toEqual(['a', 'b'])
    expect(param.list().read('', 'x')).toEqual([])
    expect(param.list().read(undefined, 'x')).toBeNull()
  })

  it.each([
    ['90m', 5_400_000],
    ['24H', 86_400_000],
    ['100000d', 8_640_000_000_000],
    ['0m', null],
    ['100001m', null],
    ['-1h', null],
    ['1.5h', null],
    ['1w', null],
    ['', null],
  ])('reads the duration %s as %s', (sent, span) => expect(param.parseDuration(sent)).toBe(span))

  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T14:05Z', '2026-11-20T14:05:00.000Z'],
    ['2026-11-20T14:05:06.789012Z', '2026-11-20T14:05:06.789Z'],
    ['2026-11-20T14:05:06+0530', '2026-11-20T08:35:06.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads the instant %s', (sent, iso) =>
    expect(new Date(param.parseInstant(sent) ?? 0).toISOString()).toBe(iso),
  )

  it.each(['0000-12-31', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2026-00-10'])(
    'reads no instant from %s',
    (sent) => expect(param.parseInstant(sent)).toBeNull(),
  )

  // [conventions.parameters.malformed]
  it.each(['constructor', '__proto__', 'toString', 'openx', ''])(
    'refuses the word %s where words have other names',
    (sent) => {
      const status = param.oneOf(['active', 'closed'], null, {
        description: 'x',
        aliases: { open: 'active' },
      })
      expect(status.read('OPEN', 'status')).toBe('active')
      expect(() => status.read(sent, 'status')).toThrow('status must be active or closed')
    },
  )

  it('clamps every integer and refuses everything else', () => {
    const count = param.limit(5, 20)
    fc.assert(
      fc.property(fc.bigInt(), (sent) => {
        const read = count.read(String(sent), 'limit')
        expect(read).toBeGreaterThanOrEqual(1)
        expect(read).toBeLessThanOrEqual(20)
      }),
    )
    fc.assert(
      fc.property(
        fc.string().filter((sent) => !/^\s*[+-]?\d+\s*$/.test(sent)),
        (sent) => {
          expect(() => count.read(sent, 'limit')).toThrow('limit must be an integer')
        },
      ),
    )
  })
})

describe('cursors', () => {
  const isText = (value: unknown): value is string => typeof value === 'string'

  it('carry their query and position', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.integer()), fc.string(), (query, key, id) => {
        const cursor = { query, after: [key, id] as const }
        expect(decodeCursor(encodeCursor(cursor), isText)).toEqual(cursor)
      }),
    )
  })

  it('are refused when they are not ours', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        expect(() => decodeCursor(sent, (value): value is never => value === sent)).toThrow(
          'cursor is invalid',
        )
      }),
    )
  })
})
