import { constants, createPrivateKey, sign, type KeyObject } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'

/** Credentials for the signed part of venue_a; a read-only key is enough. */
export interface VenueAKeys {
  readonly keyId: string
  /** PEM, PKCS#1 or PKCS#8; RSA or Ed25519. */
  readonly privateKey: string | Buffer
}

/**
 * Headers that sign a request: time + method + path (no query), RSA-PSS with SHA-256 and a salt as
 * long as the digest, or Ed25519, by the kind of key.
 * @param clockOffset venue time minus our time in ms; a few seconds of skew are refused
 */
export function createSigner(
  keys: VenueAKeys,
  clock: Clock,
  clockOffset: () => number,
): (method: string, path: string) => Record<string, string> {
  const key = createPrivateKey(keys.privateKey)
  return (method, path) => {
    const timestamp = String(Math.round(clock.now() + clockOffset()))
    const signature = signMessage(key, `${timestamp}${method.toUpperCase()}${path}`)
    return {
      'KALSHI-ACCESS-KEY': keys.keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
    }
  }
}

function signMessage(key: KeyObject, message: string): Buffer {
  const bytes = Buffer.from(message, 'utf8')
  if (key.asymmetricKeyType === 'ed25519') return sign(null, bytes, key)
  return sign('sha256', bytes, {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  })
}
