import { describe, expect, it } from 'vitest'
import fc from '../../../../scripts/properties.ts'
import { readSecretJson } from './secret-json.ts'

const read = (text: string) =>
  Object.fromEntries(
    [...readSecretJson(Buffer.from(text))].map(([name, value]) => [
      name,
      typeof value === 'number' ? value : value.toString('utf8'),
    ]),
  )

describe('the JSON of credentials', () => {
  it('reads as JSON.parse does', () => {
    const values = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
      fc.integer(),
    )
    const names = fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__')
    fc.assert(
      fc.property(fc.dictionary(names, values), fc.boolean(), (object, isSpaced) => {
        const text = JSON.stringify(object, null, isSpaced ? '\t' : undefined)
        expect(read(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('reads escapes, pairs of surrogates, and the last of two equal names', () => {
    const text = String.raw`{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00","a":"x","b":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00"}`
    expect(read(text)).toEqual(JSON.parse(text))
  })

  it.each([
    '',
    '[]',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":true}',
    '{"a":{}}',
    '{"a":"b}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{"a":"b",}',
    '{"a":"b"} x',
    '{"a":1e}',
    '{"a":"b\n"}',
  ])('refuses %j without repeating it', (text) => {
    expect(() => read(text)).toThrow(/^the credentials are no JSON object of texts and numbers$/)
  })

  it('gives each text a buffer of its own', () => {
    const [first, second] = [...readSecretJson(Buffer.from('{"a":"x","b":"y"}')).values()]
    expect(first).toBeInstanceOf(Buffer)
    expect((first as Buffer).buffer).not.toBe((second as Buffer).buffer)
    expect((first as Buffer).buffer.byteLength).toBe(1)
  })
})
