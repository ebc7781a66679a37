import { hash } from 'node:crypto'

const MIN_LENGTH = 32
const MAX_LENGTH = 4_096

/** Whether a value is a valid login token: 32 to 4096 characters of any kind. */
export function isSessionToken(value: unknown): value is string {
  // A lone surrogate has no UTF-8 encoding, so its digest would equal that of other tokens.
  if (typeof value !== 'string' || !value.isWellFormed()) return false
  // A character takes one or two code units; longer texts need not be counted.
  if (value.length < MIN_LENGTH || value.length > 2 * MAX_LENGTH) return false
  const characters = Array.from(value).length
  return characters >= MIN_LENGTH && characters <= MAX_LENGTH
}

/** SHA-256 of a token's UTF-8 bytes; the login is stored under it. */
export const digestOfToken = (token: string): string => hash('sha256', token, 'base64url')

/**
 * The `token` of a query as sent; null if missing or blank. It is percent-decoded once and `+`
 * stays `+`, because tokens may contain it. Of repeated parameters the last counts; malformed
 * percent-encoding is taken literally.
 */
export function tokenFromQuery(search: string): string | null {
  const tokenParam = search
    .split('&')
    .map((pair) => /^token=(.*)$/s.exec(pair)?.[1])
    .findLast((value) => value !== undefined)
  if (tokenParam === undefined) return null
  const token = decodePath(tokenParam)
  return token.trim() === '' ? null : token
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
