import { constants, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const PATH = '/trade-api/ws/v2'

/** Whether an upgrade carries the venue's key headers, and a true signature where the key is known. */
export function mayConnect(
  request: IncomingMessage,
  requireKeys: boolean,
  publicKey: string | null,
): boolean {
  if (!requireKeys) return true
  const [key, timestamp, signature] = ['key', 'timestamp', 'signature'].map(
    (name) => request.headers[`kalshi-access-${name}`],
  )
  if (typeof key !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string')
    return false
  if (publicKey === null) return true
  const options = {
    key: publicKey,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  }
  return verify(
    'sha256',
    Buffer.from(`${timestamp}GET${PATH}`),
    options,
    Buffer.from(signature, 'base64'),
  )
}
