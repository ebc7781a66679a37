import { hash } from 'node:crypto'

const SHORTEST = 32
const LONGEST = 4_096

/** Whether a value can be the session token of a login: 32 to 4096 characters, whichever they are. */
export function isSessionToken(value: unknown): value is string {
  // A half of a surrogate pair has no UTF-8 bytes of its own, so it could not be told from another.
  if (typeof value !== 'string' || !value.isWellFormed()) return false
  // A character takes one or two units: what is longer than two of each need not be counted.
  if (value.length < SHORTEST || value.length > 2 * LONGEST) return false
  const characters = Array.from(value).length
  return characters >= SHORTEST && characters <= LONGEST
}

/** SHA-256 of a token's UTF-8 bytes, under which its login is kept. */
export const digestOfToken = (token: string): string => hash('sha256', token, 'base64url')

/**
 * The `token` of a query as it was sent; null where it is missing or blank. Percent-decoded once: a
 * `+` stays a `+`, since tokens may hold one. Of several the last counts; one that is not
 * percent-encoded as it should be is taken as it stands.
 */
export function tokenIn(search: string): string | null {
  const sent = search
    .split('&')
    .map((pair) => /^token=(.*)$/s.exec(pair)?.[1])
    .findLast((value) => value !== undefined)
  if (sent === undefined) return null
  const token = decoded(sent)
  return token.trim() === '' ? null : token
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
