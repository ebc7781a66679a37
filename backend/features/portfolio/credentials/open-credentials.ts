import { createDecipheriv, randomBytes, type Decipheriv } from 'node:crypto'
import type { CredentialField } from '../../../domain/credentials/credential-field.ts'
import { credentialFields } from '../../../domain/credentials/credential-fields.ts'
import { envelopeParts, uploadAad } from '../../../domain/credentials/envelope.ts'
import type { Venue } from '../../../domain/market.ts'
import { Conflict } from '../../../lib/errors.ts'
import type { CredentialsByVenue, OpenCredentials, TradingVenue } from '../../../venues/trading.ts'
import type { AccountSecrets } from './account-secrets.ts'
import type { CredentialsStore } from './credentials.store.ts'
import { eraseFields, readSecretJson, type JsonField } from './secret-json.ts'

/** An envelope that does not open: another key encrypted it, or its text was wrong. */
export class CredentialsUnreadable extends Conflict {
  constructor(venue: Venue) {
    super(`credentials for ${venue} cannot be opened`)
  }
}

const ALGORITHM = 'aes-256-gcm'
const TAG_BYTES = 16

export function createOpenCredentials(
  store: Pick<CredentialsStore, 'envelope'>,
  secrets: Pick<AccountSecrets, 'keyOf'>,
): OpenCredentials {
  return async (userId, venue) => {
    const storedEnvelope = await store.envelope(userId, venue)
    if (storedEnvelope === null) return null
    const { uploadId, envelope } = storedEnvelope
    const parts = envelopeParts(envelope)
    if ('problem' in parts) throw new CredentialsUnreadable(venue)
    let key: Buffer
    try {
      key = await secrets.keyOf(userId, venue, parts.salt)
    } catch {
      throw new CredentialsUnreadable(venue)
    }
    const buffers: Buffer[] = [key]
    try {
      const decipher = createDecipheriv(ALGORITHM, key, parts.nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(uploadAad(userId, venue, uploadId)))
      decipher.setAuthTag(parts.tag)
      // Decrypted bytes are erased even when the tag does not fit.
      const plaintext = Buffer.alloc(parts.ciphertext.length)
      buffers.push(plaintext)
      decryptInPieces(decipher, parts.ciphertext, plaintext)
      decipher.final()
      return credentialsFrom(venue, readSecretJson(plaintext))
    } catch {
      // Without the cause, which may quote decrypted text.
      throw new CredentialsUnreadable(venue)
    } finally {
      eraseFields(buffers)
    }
  }
}

const PIECE = 16
/** Blocks of freed memory that are overwritten. */
const OVERWRITTEN = 64

/**
 * Decrypts in pieces of a few bytes. Node writes each piece to a larger block first, which it frees
 * without erasing it: the block is used again for the next piece, and at last for random bytes.
 */
function decryptInPieces(decipher: Decipheriv, ciphertext: Uint8Array, output: Buffer): void {
  for (let index = 0; index < ciphertext.length; index += PIECE) {
    const piece = decipher.update(ciphertext.subarray(index, index + PIECE))
    piece.copy(output, index)
    piece.fill(0)
  }
  const noise = createDecipheriv('aes-256-ctr', randomBytes(32), randomBytes(PIECE))
  for (let left = OVERWRITTEN; left > 0; left--) noise.update(randomBytes(PIECE))
}

/**
 * The credentials of a venue from the fields of a decrypted envelope: secrets as bytes, absent
 * fields as null. The buffers of fields that are not returned are erased, all of them on a failure.
 * @throws Error when a required field is missing or a field is wrong
 */
function credentialsFrom<V extends TradingVenue>(
  venue: V,
  fields: ReadonlyMap<string, JsonField>,
): CredentialsByVenue[V] {
  const openedSecrets = new Set<unknown>()
  try {
    const entries = credentialFields(venue).map((field) => {
      const value = valueOf(field, fields.get(field.name))
      if (value === null && field.isRequired) throw new Error('a field is missing')
      return [field.name, value] as const
    })
    for (const [, value] of entries) openedSecrets.add(value)
    return Object.fromEntries(entries) as unknown as CredentialsByVenue[V]
  } finally {
    eraseFields([...fields.values()].filter((value) => !openedSecrets.has(value)))
  }
}

function valueOf(field: CredentialField, value: JsonField | undefined) {
  if (value === undefined) return null
  if (typeof value === 'number') {
    return field.isNumber && field.pattern.test(String(value)) ? value : null
  }
  if (field.isNumber) return null
  if (field.isHex) return bytesOfHex(value)
  return field.isSecret ? value : value.toString('utf8')
}

const KEY_DIGITS = 64
/** The bytes of 0x and 64 hex digits, without a text of them. @throws Error for anything else */
function bytesOfHex(digits: Buffer): Buffer {
  const hasPrefix = digits[0] === 0x30 && digits[1] === 0x78
  if (!hasPrefix || digits.length !== KEY_DIGITS + 2) throw new Error('the key has another length')
  const bytes = Buffer.alloc(KEY_DIGITS / 2)
  for (let index = 0; index < KEY_DIGITS; index++) {
    const nibble = Number.parseInt(String.fromCharCode(digits[index + 2] ?? 0), 16)
    if (Number.isNaN(nibble)) {
      bytes.fill(0)
      throw new Error('the key is not hexadecimal')
    }
    bytes[index >> 1] = ((bytes[index >> 1] ?? 0) << 4) | nibble
  }
  return bytes
}
