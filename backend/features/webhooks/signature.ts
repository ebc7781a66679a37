import { createHmac } from 'node:crypto'
import { SECOND, type Millis } from '../../domain/units.ts'

/**
 * The `X-SVC-Signature` header: seconds of the attempt, and for each valid secret the hex
 * HMAC-SHA256 of `<seconds>.<raw body>` keyed with the text of the secret.
 */
export function signatureOf(secrets: readonly string[], body: string, now: Millis): string {
  const seconds = Math.floor(now / SECOND)
  const versions = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`)
    return `v1=${hmac.digest('hex')}`
  })
  return [`t=${seconds}`, ...versions].join(',')
}
