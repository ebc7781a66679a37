import { utf8 } from '../sha256.ts'
import { fromBase64Url, toBase64Url } from './base64url.ts'

/**
 * The envelope in which credentials of a venue are uploaded: version, salt, nonce, ciphertext and
 * tag of AES-256-GCM. The page and the command line encrypt with it; the service stores it.
 */
export const ENVELOPE_VERSION = 1
export const SALT_BYTES = 16
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + SALT_BYTES + NONCE_BYTES
/** Longest text of an envelope. */
export const MAX_ENVELOPE_LENGTH = 16 * 1024

export type Bytes = Uint8Array<ArrayBuffer>

/** The part of the Web Crypto API that encrypts an envelope. */
export interface EnvelopeCrypto {
  getRandomValues(bytes: Bytes): Bytes
  readonly subtle: {
    importKey(
      format: 'raw',
      key: Bytes,
      algorithm: 'AES-GCM',
      isExtractable: false,
      usages: 'encrypt'[],
    ): Promise<unknown>
    encrypt(algorithm: AesGcm, key: never, plaintext: Bytes): Promise<ArrayBuffer>
  }
}
interface AesGcm {
  readonly name: 'AES-GCM'
  readonly iv: Bytes
  readonly additionalData: Bytes
  readonly tagLength: 128
}

/** The key and ids that the service issues for one upload. */
export interface EnvelopeUpload {
  /** base64url of 16 bytes. */
  readonly salt: string
  /** base64url of 32 bytes. */
  readonly key: string
  readonly aad: string
}

/** The parts of a stored envelope. */
export interface EnvelopeParts {
  readonly salt: Bytes
  readonly nonce: Bytes
  readonly ciphertext: Bytes
  readonly tag: Bytes
}

/** HKDF info of the key of an upload. */
export const uploadKeyInfo = (userId: string, venue: string): string =>
  `svc/secrets/v1|${userId}|${venue}`

/** Data that the tag of an envelope authenticates beside its ciphertext. */
export const uploadAad = (userId: string, venue: string, uploadId: string): string =>
  `svc-secrets\nv1\n${userId}\n${venue}\n${uploadId}`

const bytesOf = (text: string): Bytes => new Uint8Array(utf8(text))

/**
 * Encrypts the credentials of a venue with the key of an upload. The bytes of the key and of the
 * plaintext are filled with zeros afterwards.
 * @param crypto the platform's Web Crypto
 * @throws RangeError for a key or salt of another length, or credentials that are too long
 */
export async function sealEnvelope(
  crypto: EnvelopeCrypto,
  upload: EnvelopeUpload,
  credentials: Readonly<Record<string, string | number>>,
): Promise<string> {
  const salt = decodeBytes(upload.salt, SALT_BYTES, 'salt')
  const rawKey = decodeBytes(upload.key, KEY_BYTES, 'key')
  const plaintext = bytesOf(JSON.stringify(credentials))
  try {
    const key = await crypto.subtle.importKey('raw', rawKey, 'AES-GCM', false, ['encrypt'])
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const algorithm: AesGcm = {
      name: 'AES-GCM',
      iv: nonce,
      additionalData: bytesOf(upload.aad),
      tagLength: 128,
    }
    const ciphertext = new Uint8Array(
      await crypto.subtle.encrypt(algorithm, key as never, plaintext),
    )
    const envelope = new Uint8Array(HEAD_BYTES + ciphertext.length)
    envelope[0] = ENVELOPE_VERSION
    envelope.set(salt, 1)
    envelope.set(nonce, 1 + SALT_BYTES)
    envelope.set(ciphertext, HEAD_BYTES)
    const text = toBase64Url(envelope)
    if (text.length > MAX_ENVELOPE_LENGTH) {
      throw new RangeError('the credentials are too long: an envelope has at most 16 kB')
    }
    return text
  } finally {
    rawKey.fill(0)
    plaintext.fill(0)
  }
}

function decodeBytes(text: string, length: number, name: string): Bytes {
  const bytes = fromBase64Url(text)
  if (bytes?.length === length) return bytes
  throw new RangeError(`the ${name} must be base64url of ${length} bytes`)
}

/** The error of the text of an envelope, or its parts; nothing is decrypted. */
export function envelopeParts(text: string): EnvelopeParts | { readonly problem: string } {
  if (text.length > MAX_ENVELOPE_LENGTH) return { problem: 'must have at most 16 kB' }
  const bytes = fromBase64Url(text)
  if (bytes === null) return { problem: 'must be base64url without padding' }
  if (bytes.length <= HEAD_BYTES + TAG_BYTES) return { problem: 'is too short' }
  if (bytes[0] !== ENVELOPE_VERSION) return { problem: `must have version ${ENVELOPE_VERSION}` }
  const tagAt = bytes.length - TAG_BYTES
  return {
    salt: bytes.slice(1, 1 + SALT_BYTES),
    nonce: bytes.slice(1 + SALT_BYTES, HEAD_BYTES),
    ciphertext: bytes.slice(HEAD_BYTES, tagAt),
    tag: bytes.slice(tagAt),
  }
}
