import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey } from 'jose'
import type { Logger } from '../../lib/logger.ts'
import type { PublicKeys } from './account.schema.ts'

/** The key pair that session tokens are signed with, and the name they carry of it. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  /** What others check our signatures with. */
  readonly publicJwk: PublicJwk
}

export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

interface PrivateJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly d: string
  readonly x: string
}

/**
 * The key pair of a data folder, made at the first start and kept in `secrets/session.jwk` for its
 * owner alone to read. A file that holds no such key is replaced, which ends all sessions.
 */
export async function openSigningKey(dataDir: string, logger: Logger): Promise<SigningKey> {
  const path = join(dataDir, 'secrets', 'session.jwk')
  const text = readText(path)
  const kept = text === null ? null : jwkOf(text)
  if (kept !== null) {
    tighten(path)
    return keyPairOf(kept)
  }
  if (text !== null)
    logger.warn({ path }, 'the session key was unreadable; all sessions have ended')
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { d = '', x = '' } = await exportJWK(privateKey)
  const made: PrivateJwk = { kty: 'OKP', crv: 'Ed25519', d, x }
  write(path, JSON.stringify(made))
  return keyPairOf(made)
}

/** The public half as others read it (JWKS). */
export const publicKeysOf = ({ kid, publicJwk }: SigningKey): PublicKeys => ({
  keys: [{ ...publicJwk, kid, alg: 'EdDSA', use: 'sig' }],
})

async function keyPairOf(jwk: PrivateJwk): Promise<SigningKey> {
  const { kty, crv, x } = jwk
  const [kid, privateKey, publicKey] = await Promise.all([
    calculateJwkThumbprint({ kty, crv, x }),
    importJWK({ ...jwk }, 'EdDSA'),
    importJWK({ kty, crv, x }, 'EdDSA'),
  ])
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) {
    throw new TypeError('an Ed25519 key was read as bytes')
  }
  return { kid, privateKey, publicKey, publicJwk: { kty, crv, x } }
}

function jwkOf(text: string): PrivateJwk | null {
  try {
    const { kty, crv, d, x } = JSON.parse(text) as Record<string, unknown>
    const isOurs = kty === 'OKP' && crv === 'Ed25519'
    const isWhole = [d, x].every((part) => typeof part === 'string' && /^[\w-]{43}$/.test(part))
    return isOurs && isWhole ? { kty, crv, d: String(d), x: String(x) } : null
  } catch {
    return null
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function tighten(path: string): void {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const partial = `${path}.new`
  // The mode counts only for a file that is made.
  rmSync(partial, { force: true })
  writeFileSync(partial, text, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(partial, path)
}
