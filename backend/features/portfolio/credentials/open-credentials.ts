import { createDecipheriv, randomBytes, type Decipheriv } from 'node:crypto'
import { envelopeParts, uploadAad } from '../../../domain/credentials/envelope.ts'
import type { Venue } from '../../../domain/market.ts'
import { Conflict } from '../../../lib/errors.ts'
import type { AccountSecrets } from './account-secrets.ts'
import type { CredentialsStore } from './credentials.store.ts'
import { eraseFields, readSecretJson, type JsonField } from './secret-json.ts'

/**
 * Credentials in clear, by venue. Secrets are bytes, because texts of JavaScript cannot be erased:
 * do not copy them and make no text of them.
 */
export interface OpenedCredentials {
  readonly venue_a: {
    readonly keyId: string
    /** UTF-8 text of a PEM. */
    readonly privateKeyPem: Buffer
  }
  readonly venue_b: {
    readonly walletAddress: string
    /** 32 bytes. */
    readonly privateKey: Buffer
    readonly signatureType: 0 | 1 | 2 | 3
    readonly funder: string | null
    readonly apiKey: string | null
    readonly apiSecret: Buffer | null
    readonly passphrase: Buffer | null
  }
}
export type CredentialVenue = keyof OpenedCredentials

/**
 * Opens the credentials of a user at a venue for the run of one tick; null when none are stored.
 * The caller erases them with `eraseCredentials` when the tick ends, however it ends.
 * @throws CredentialsUnreadable when the envelope cannot be decrypted or a field is wrong
 */
export type OpenCredentials = <V extends CredentialVenue>(
  userId: string,
  venue: V,
) => Promise<OpenedCredentials[V] | null>

/** Fills the secrets of opened credentials with zeros. */
export function eraseCredentials(credentials: OpenedCredentials[CredentialVenue]): void {
  for (const value of Object.values(credentials) as unknown[]) {
    if (Buffer.isBuffer(value)) value.fill(0)
  }
}

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
    const stored = await store.envelope(userId, venue)
    if (stored === null) return null
    const { uploadId, envelope } = stored
    const parts = envelopeParts(envelope)
    if ('fault' in parts) throw new CredentialsUnreadable(venue)
    let key: Buffer
    try {
      key = await secrets.keyOf(userId, venue, parts.salt)
    } catch {
      throw new CredentialsUnreadable(venue)
    }
    const opened: Buffer[] = [key]
    try {
      const decipher = createDecipheriv(ALGORITHM, key, parts.nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(uploadAad(userId, venue, uploadId)))
      decipher.setAuthTag(parts.tag)
      // Decrypted bytes are erased even when the tag does not fit.
      const plaintext = Buffer.alloc(parts.ciphertext.length)
      opened.push(plaintext)
      decryptInPieces(decipher, parts.ciphertext, plaintext)
      decipher.final()
      const fields = new CredentialReader(readSecretJson(plaintext))
      try {
        return BUILDERS[venue](fields)
      } finally {
        fields.eraseOthers()
      }
    } catch {
      // The cause is left out: it may repeat what was decrypted.
      throw new CredentialsUnreadable(venue)
    } finally {
      eraseFields(opened)
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
function decryptInPieces(decipher: Decipheriv, ciphertext: Uint8Array, into: Buffer): void {
  for (let at = 0; at < ciphertext.length; at += PIECE) {
    const piece = decipher.update(ciphertext.subarray(at, at + PIECE))
    piece.copy(into, at)
    piece.fill(0)
  }
  const noise = createDecipheriv('aes-256-ctr', randomBytes(32), randomBytes(PIECE))
  for (let left = OVERWRITTEN; left > 0; left--) noise.update(randomBytes(PIECE))
}

const BUILDERS: {
  readonly [V in CredentialVenue]: (fields: CredentialReader) => OpenedCredentials[V]
} = {
  venue_a: (fields) => ({
    keyId: present(fields.text('keyId')),
    privateKeyPem: present(fields.secret('privateKeyPem')),
  }),
  venue_b: (fields) => ({
    walletAddress: present(fields.text('walletAddress')),
    signatureType: present(fields.oneOf('signatureType', [0, 1, 2, 3])),
    funder: fields.text('funder'),
    apiKey: fields.text('apiKey'),
    privateKey: present(fields.secret('privateKey', bytesOfHex)),
    apiSecret: fields.secret('apiSecret'),
    passphrase: fields.secret('passphrase'),
  }),
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('a field is missing')
  return value
}

/** Reads the fields of a decrypted envelope; everything that is not handed out is erased. */
class CredentialReader {
  readonly #fields: ReadonlyMap<string, JsonField>
  readonly #given = new Set<JsonField>()

  constructor(fields: ReadonlyMap<string, JsonField>) {
    this.#fields = fields
  }

  /** A field that is no secret; null when it was not uploaded. */
  text(name: string): string | null {
    return this.#bytes(name)?.toString('utf8') ?? null
  }

  oneOf<T extends number>(name: string, values: readonly T[]): T | null {
    return values.find((value) => value === this.#fields.get(name)) ?? null
  }

  /** A secret as a buffer of its own; null when it was not uploaded. */
  secret(name: string, read = (bytes: Buffer): Buffer => bytes): Buffer | null {
    const bytes = this.#bytes(name)
    if (bytes === null) return null
    const secret = read(bytes)
    this.#given.add(secret)
    return secret
  }

  eraseOthers(): void {
    eraseFields([...this.#fields.values()].filter((value) => !this.#given.has(value)))
  }

  #bytes(name: string): Buffer | null {
    const value = this.#fields.get(name)
    return value === undefined || typeof value === 'number' ? null : value
  }
}

const KEY_DIGITS = 64
/** The bytes of 0x and 64 hex digits, without a text of them. @throws Error for anything else */
function bytesOfHex(digits: Buffer): Buffer {
  const hasPrefix = digits[0] === 0x30 && digits[1] === 0x78
  if (!hasPrefix || digits.length !== KEY_DIGITS + 2) throw new Error('the key has another length')
  const bytes = Buffer.alloc(KEY_DIGITS / 2)
  for (let at = 0; at < KEY_DIGITS; at++) {
    const nibble = Number.parseInt(String.fromCharCode(digits[at + 2] ?? 0), 16)
    if (Number.isNaN(nibble)) {
      bytes.fill(0)
      throw new Error('the key is not hexadecimal')
    }
    bytes[at >> 1] = ((bytes[at >> 1] ?? 0) << 4) | nibble
  }
  return bytes
}
