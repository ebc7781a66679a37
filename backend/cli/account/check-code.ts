import { hash } from 'node:crypto'

/** First 8 hex digits of the SHA-256 of a session token's UTF-8 bytes, as `ab12-cd34`. */
export function checkCodeOf(token: string): string {
  const digits = hash('sha256', token, 'hex')
  return `${digits.slice(0, 4)}-${digits.slice(4, 8)}`
}
