import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const SALT = 16
const IV = 12
const TAG = 16

/** Purpose of a sealed text, so that other uses of the same token derive other keys. */
export type SealPurpose =
  | 'augury cli login: key that waits'
  | 'augury webhook secret'
  | 'augury repeated answer'
  | 'augury account secret'

const keyOf = (token: string, salt: Buffer, purpose: SealPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', token, salt, purpose, 32))

/**
 * Encrypts a text so that only `token` opens it; returns salt, nonce, tag and ciphertext in
 * base64url.
 */
export const sealText = (secret: string, token: string, purpose: SealPurpose): string =>
  sealBytes(Buffer.from(secret, 'utf8'), token, purpose)

/** The same for bytes. */
export function sealBytes(secret: Uint8Array, token: string, purpose: SealPurpose): string {
  const salt = randomBytes(SALT)
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, keyOf(token, salt, purpose), iv)
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), ciphertext]).toString('base64url')
}

/**
 * Decrypts a text sealed by `sealText`.
 * @throws Error if token or purpose differ, or the text was changed
 */
export const openSealed = (sealedText: string, token: string, purpose: SealPurpose): string =>
  openSealedBytes(sealedText, token, purpose).toString('utf8')

/**
 * Decrypts bytes sealed by `sealBytes` into a buffer of their own, which the caller may fill with
 * zeros.
 * @throws Error if token or purpose differ, or the text was changed
 */
export function openSealedBytes(sealedText: string, token: string, purpose: SealPurpose): Buffer {
  const bytes = Buffer.from(sealedText, 'base64url')
  const salt = bytes.subarray(0, SALT)
  const iv = bytes.subarray(SALT, SALT + IV)
  const decipher = createDecipheriv(CIPHER, keyOf(token, salt, purpose), iv, { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(SALT + IV, SALT + IV + TAG))
  const plaintext = decipher.update(bytes.subarray(SALT + IV + TAG))
  try {
    decipher.final()
  } catch (error) {
    plaintext.fill(0)
    throw error
  }
  return plaintext
}
