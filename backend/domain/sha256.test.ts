import { createHash } from 'node:crypto'
import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

const hex = (words: Uint32Array): string =>
  [...words].map((word) => word.toString(16).padStart(8, '0')).join('')

describe('sha256', () => {
  it('returns the digest of the standard for abc', () => {
    expect(hex(sha256('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('agrees with the platform on any text and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(hex(sha256(text))).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
      }),
      { numRuns: 40 },
    )
    for (const length of [55, 56, 63, 64, 65, 119, 120]) {
      const text = 'é'.repeat(length)
      expect(hex(sha256(text))).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
    }
  })

  it('encodes a lone surrogate like the platform', () => {
    expect(hex(sha256('a\ud800b'))).toBe(
      createHash('sha256').update('a\ud800b', 'utf8').digest('hex'),
    )
  })
})
