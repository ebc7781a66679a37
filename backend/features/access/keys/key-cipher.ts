import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const SALT = 16
const IV = 12
const TAG = 16
/** Context of the key derivation, so that other uses of the same token derive other keys. */
const PURPOSE = 'augury cli login: key that waits'

const keyOf = (token: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', token, salt, PURPOSE, 32))

/**
 * Encrypts a key so that only `token` opens it; returns salt, nonce, tag and ciphertext in
 * base64url.
 */
export function sealKey(secret: string, token: string): string {
  const salt = randomBytes(SALT)
  const iv = randomBytes(IV)
  const cipher = createCipheriv(CIPHER, keyOf(token, salt), iv)
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/**
 * Decrypts a key sealed by `sealKey`. @throws Error if the token differs or the text was changed
 */
export function openKey(sealed: string, token: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const salt = bytes.subarray(0, SALT)
  const iv = bytes.subarray(SALT, SALT + IV)
  const decipher = createDecipheriv(CIPHER, keyOf(token, salt), iv, { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(SALT + IV, SALT + IV + TAG))
  const opened = [decipher.update(bytes.subarray(SALT + IV + TAG)), decipher.final()]
  return Buffer.concat(opened).toString('utf8')
}
