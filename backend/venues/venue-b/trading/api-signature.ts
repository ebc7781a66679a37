import { createHmac } from 'node:crypto'
import {
  addressOfKey,
  domainSeparator,
  hexOf,
  signDigest,
  structHash,
  typedDataDigest,
  type StructType,
} from '../../../lib/eip712/typed-data.ts'
import type { Millis } from '../../../domain/units.ts'

/** An API key of a wallet. */
export interface ApiKey {
  readonly key: string
  /** Base64, with either alphabet. */
  readonly secret: Buffer
  readonly passphrase: Buffer
}

const CLOB_AUTH: StructType = {
  name: 'ClobAuth',
  fields: [
    ['address', 'address'],
    ['string', 'timestamp'],
    ['uint256', 'nonce'],
    ['string', 'message'],
  ],
}
const ATTESTATION = 'This message attests that I control the given wallet'

const secondsOf = (now: Millis): string => String(Math.floor(now / 1_000))

/** Signature by which a wallet creates or derives its API key. */
export function walletSignature(
  key: Uint8Array,
  about: { readonly chainId: number; readonly timestamp: string; readonly nonce: number },
): string {
  const separator = domainSeparator({
    name: 'ClobAuthDomain',
    version: '1',
    chainId: about.chainId,
    verifyingContract: null,
  })
  const hash = structHash(CLOB_AUTH, {
    address: addressOfKey(key),
    timestamp: about.timestamp,
    nonce: BigInt(about.nonce),
    message: ATTESTATION,
  })
  return hexOf(signDigest(typedDataDigest(separator, hash), key))
}

/** Headers of a request that a wallet signs itself. */
export function walletHeaders(
  key: Uint8Array,
  chainId: number,
  now: Millis,
): Record<string, string> {
  const timestamp = secondsOf(now)
  return {
    POLY_ADDRESS: addressOfKey(key),
    POLY_SIGNATURE: walletSignature(key, { chainId, timestamp, nonce: 0 }),
    POLY_TIMESTAMP: timestamp,
    POLY_NONCE: '0',
  }
}

/** HMAC-SHA256 of a request as base64 with the URL alphabet and padding. */
export function requestSignature(secret: Buffer, message: string): string {
  const key = Buffer.from(secret.toString('utf8'), 'base64')
  const signature = createHmac('sha256', key).update(message).digest('base64')
  key.fill(0)
  return signature.replaceAll('+', '-').replaceAll('/', '_')
}

/** Headers of a private request; the path has no query, the body is the text that is sent. */
export function apiHeaders(
  address: string,
  api: ApiKey,
  request: { readonly method: string; readonly path: string; readonly body: string },
  now: Millis,
): Record<string, string> {
  const timestamp = secondsOf(now)
  const message = `${timestamp}${request.method}${request.path}${request.body}`
  return {
    POLY_ADDRESS: address,
    POLY_API_KEY: api.key,
    POLY_PASSPHRASE: api.passphrase.toString('utf8'),
    POLY_TIMESTAMP: timestamp,
    POLY_SIGNATURE: requestSignature(api.secret, message),
  }
}
