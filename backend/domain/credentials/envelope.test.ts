import { createDecipheriv, webcrypto } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
import { fromBase64Url, toBase64Url } from './base64url.ts'
import {
  ENVELOPE_VERSION,
  envelopeParts,
  sealEnvelope,
  uploadAad,
  type Bytes,
  type EnvelopeCrypto,
} from './envelope.ts'

const platform = webcrypto as unknown as EnvelopeCrypto
/** Web Crypto with the nonce of a test vector. */
const withNonce = (nonce: Bytes): EnvelopeCrypto => ({
  subtle: platform.subtle,
  getRandomValues(bytes) {
    bytes.set(nonce)
    return bytes
  },
})
const counted = (length: number, from = 0): Bytes =>
  Uint8Array.from({ length }, (_, index) => from + index)

/** The envelope of the credentials below, made by the library `cryptography` of Python. */
const VECTOR =
  'AQABAgMEBQYHCAkKCwwNDg8yMzQ1Njc4OTo7PD2DsVUjlT2Yg-GPzfBgTNj0' +
  '1mUyYt5aFZw-_VAUryMTJ2aY7J2RiHCM8EETjqAFtZuv9-bOUozKN5dUO83b' +
  'v6f99BVdlTcvEFIIOw7nm8c'
const UPLOAD = {
  salt: toBase64Url(counted(16)),
  key: toBase64Url(counted(32, 100)),
  aad: uploadAad('usr_ann', 'venue_a', 'up_1'),
}
const CREDENTIALS = { keyId: 'k-1', privateKeyPem: 'line 1\nline 2 "é€😀"' }

/** Decrypts with another implementation than the one that encrypted. */
function opened(text: string, aad = UPLOAD.aad, key = counted(32, 100)): string {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(17, 29))
  decipher.setAAD(Buffer.from(aad))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(29, -16)), decipher.final()]).toString()
}

describe('an envelope', () => {
  it('[portfolio.secrets.envelope] has the bytes of its table', async () => {
    const text = await sealEnvelope(withNonce(counted(12, 50)), UPLOAD, CREDENTIALS)
    const bytes = Buffer.from(text, 'base64url')
    expect([bytes[0], ENVELOPE_VERSION]).toEqual([1, 1])
    expect([...bytes.subarray(1, 17)]).toEqual([...counted(16)])
    expect([...bytes.subarray(17, 29)]).toEqual([...counted(12, 50)])
    expect(bytes.length).toBe(1 + 16 + 12 + Buffer.byteLength(JSON.stringify(CREDENTIALS)) + 16)
    expect(JSON.parse(opened(text))).toEqual(CREDENTIALS)
    expect(text).toBe(VECTOR)
  })

  it('[portfolio.secrets.envelope] opens for its user, venue and upload only', async () => {
    const text = await sealEnvelope(platform, UPLOAD, CREDENTIALS)
    expect(() => opened(text)).not.toThrow()
    expect(() => opened(text, UPLOAD.aad, counted(32))).toThrow()
    for (const aad of [
      uploadAad('usr_ben', 'venue_a', 'up_1'),
      uploadAad('usr_ann', 'venue_b', 'up_1'),
      uploadAad('usr_ann', 'venue_a', 'up_2'),
    ]) {
      expect(() => opened(text, aad)).toThrow()
    }
  })

  it('[portfolio.secrets.envelope] has a new nonce each time', async () => {
    const texts = await Promise.all([1, 2].map(() => sealEnvelope(platform, UPLOAD, CREDENTIALS)))
    expect(new Set(texts).size).toBe(2)
  })

  it('leaves no key and no plaintext in the buffers it used', async () => {
    const used: Bytes[] = []
    const spied: EnvelopeCrypto = {
      getRandomValues: (bytes) => platform.getRandomValues(bytes),
      subtle: {
        importKey(format, key, algorithm, isExtractable, usages) {
          used.push(key)
          return platform.subtle.importKey(format, key, algorithm, isExtractable, usages)
        },
        encrypt(algorithm, key, plaintext) {
          used.push(plaintext)
          return platform.subtle.encrypt(algorithm, key, plaintext)
        },
      },
    }
    await sealEnvelope(spied, UPLOAD, CREDENTIALS)
    expect(used.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true, true])
  })

  it.each([
    ['a short key', { key: 'AAAA' }, 'the key must be base64url of 32 bytes'],
    ['a damaged salt', { salt: '==' }, 'the salt must be base64url of 16 bytes'],
  ])('is refused with %s', async (_name, change, message) => {
    await expect(sealEnvelope(platform, { ...UPLOAD, ...change }, CREDENTIALS)).rejects.toThrow(
      message,
    )
  })

  it('is refused over 16 kB', async () => {
    const long = { ...CREDENTIALS, privateKeyPem: 'x'.repeat(13_000) }
    await expect(sealEnvelope(platform, UPLOAD, long)).rejects.toThrow('at most 16 kB')
  })

  it.each([
    ['characters of another alphabet', '!', 'must be base64url without padding'],
    ['padding', 'AQ==', 'must be base64url without padding'],
    ['one byte', 'AQ', 'is too short'],
    ['no ciphertext', toBase64Url(counted(45, 1)), 'is too short'],
    ['another version', toBase64Url(counted(46)), 'must have version 1'],
    ['over 16 kB', 'A'.repeat(16_385), 'must have at most 16 kB'],
  ])('[portfolio.secrets.refused] with %s is refused', (_name, text, problem) => {
    expect(envelopeParts(text)).toEqual({ problem })
  })

  it('gives its parts back', () => {
    const parts = envelopeParts(toBase64Url(counted(50, 1)))
    expect(parts).toEqual({
      salt: counted(16, 2),
      nonce: counted(12, 18),
      ciphertext: counted(5, 30),
      tag: counted(16, 35),
    })
  })
})

describe('base64url', () => {
  it('equals the platform’s', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url')
        expect(toBase64Url(bytes)).toBe(text)
        expect(fromBase64Url(text)).toEqual(bytes)
      }),
    )
  })

  it.each(['A', 'AA=', 'A A', 'AB', '+/', 'AAB', 'é'])('refuses %j', (text) => {
    expect(fromBase64Url(text)).toBeNull()
  })
})
