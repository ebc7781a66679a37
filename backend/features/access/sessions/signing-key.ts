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
import {
  calculateJwkThumbprint,
  CompactSign,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
} from 'jose'
import type { Logger } from '../../../lib/logger.ts'
import type { PublicKeys } from '../../../contract/accounts.ts'

/** The key pair that signs session tokens, and its id in them. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  /** The public key with which others verify our signatures. */
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
 * The key pair of a data folder, created at the first start and stored in `secrets/session.jwk`,
 * readable only by its owner. A file without a valid key is replaced, which ends all sessions.
 * @param deps.hadSessions whether sessions exist, so that a key must exist too
 * @param deps.onReplaced called with the reason when a key was lost, before another one is created
 */
export async function openSigningKey(
  dataDir: string,
  logger: Logger,
  deps: { hadSessions?: boolean; onReplaced?: (reason: string) => void } = {},
): Promise<SigningKey> {
  const path = join(dataDir, 'secrets', 'session.jwk')
  const text = readText(path)
  const storedPair = text === null ? null : await pairIn(text)
  if (storedPair !== null) {
    tighten(path)
    return storedPair
  }
  if (text !== null || deps.hadSessions === true) {
    logger.warn({ path }, 'the session key was unreadable; all sessions have ended')
    deps.onReplaced?.(text === null ? 'the session key is missing' : 'the session key was damaged')
  }
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { d = '', x = '' } = await exportJWK(privateKey)
  const privateJwk: PrivateJwk = { kty: 'OKP', crv: 'Ed25519', d, x }
  write(path, JSON.stringify(privateJwk))
  return keyPairOf(privateJwk)
}

/** The pair of a stored text; null if its halves do not match. */
async function pairIn(text: string): Promise<SigningKey | null> {
  const jwk = jwkOf(text)
  if (jwk === null) return null
  try {
    const pair = await keyPairOf(jwk)
    const probe = await new CompactSign(PROBE)
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(pair.privateKey)
    await compactVerify(probe, pair.publicKey)
    return pair
  } catch {
    return null
  }
}

const PROBE = new TextEncoder().encode('probe')

/** The public key as a JWKS. */
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
  // The mode applies only to newly created files.
  rmSync(partial, { force: true })
  writeFileSync(partial, text, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(partial, path)
}
