import { describe, expect, it } from 'vitest'
import { accepts } from './accepted-argument.ts'
import type { ArgSpec } from './command-spec.ts'
import { tokenise } from './tokens.ts'

const read = (kind: ArgSpec['kind'], text: string, more: Partial<ArgSpec> = {}) => {
  const tokens = tokenise(text)
  const token = 'message' in tokens ? undefined : tokens[0]
  if (token === undefined) throw new Error(`no token: ${text}`)
  return accepts({ name: 'x', kind, help: 'an argument', ...more }, token)
}

describe('an argument', () => {
  it.each<readonly [ArgSpec['kind'], string, string | null]>([
    ['text', 'Oil', 'Oil'],
    ['text', '" "', null],
    ['question', 'why', 'why'],
    ['duration', '24H', '24h'],
    ['duration', '999999m', '999999m'],
    ['duration', '1000000m', null],
    ['duration', '0h', null],
    ['duration', '5s', null],
    ['verb', 'des', 'DES'],
    ['verb', 'nope', null],
    ['path', 'Geopolitics/Iran', 'geopolitics/iran'],
    ['path', '24h', null],
    ['path', 'a/b/c/d/e/f', 'a/b/c/d/e/f'],
    ['path', 'a/b/c/d/e/f/g', null],
    ['path', 'a'.repeat(64), 'a'.repeat(64)],
    ['path', 'a'.repeat(65), null],
    ['item', 'S-4K2M9Q', 's-4k2m9q'],
    ['item', 's-4k2m9', null],
    ['name', '"two words"', 'two words'],
    ['name', 'a'.repeat(40), 'a'.repeat(40)],
    ['name', 'a'.repeat(41), null],
    ['chord', 'Ctrl+K', 'Ctrl+K'],
    ['chord', 'Hyper+K', null],
    ['line', 'MOV', null],
    ['statement', 'select', null],
    ['run', 'BT_0AB', 'bt_0ab'],
    ['run', 'bt_', null],
    ['thesis', '3F2A91C4', '3f2a91c4'],
    ['thesis', '3f2a91c', null],
    ['thesis', '3f2a91c4-0000-4000-8000-000000000000', '3f2a91c4-0000-4000-8000-000000000000'],
    ['instant', '2H', '2h'],
    ['instant', '2026-11-20', '2026-11-20'],
    ['instant', '2026-11-20t10:00z', '2026-11-20T10:00Z'],
    ['instant', '2026-11', null],
    ['number', '1000', '1000'],
    ['number', '9999999', '9999999'],
    ['number', '10000000', null],
    ['number', '01', null],
    ['number', '0', null],
    ['cents', '63.5¢', '63.5'],
    ['cents', '100c', '100'],
    ['cents', '101', null],
    ['study', 'SMA:50', 'sma:50'],
    ['study', 'PLAIN', 'plain'],
    ['study', 'sma:1', null],
    ['overlay', '+kxa', '+KXA'],
    ['overlay', 'kxa', null],
    ['slug', 'News-Reader', 'news-reader'],
    ['slug', '1st', null],
  ])('of the kind %s reads “%s” as %j', (kind, text, value) => {
    expect(read(kind, text)).toBe(value)
  })

  it('of a list is one of its values', () => {
    const values = { values: ['on', 'off'] }
    expect([read('enum', 'ON', values), read('enum', 'x', values), read('enum', 'on')]).toEqual([
      'on',
      null,
      null,
    ])
  })
})
