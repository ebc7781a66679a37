import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../contract/accounts.ts'
import { InvalidInput } from '../../lib/errors.ts'

const LONGEST_EMAIL = 254
const LONGEST_NAME = 60
/** NFKC expands one code point to at most eighteen. */
const LONGEST_SENT = LONGEST_PASSWORD * 18 * 2

/** Normalizes an email address for lookup: trimmed and lower-cased. @throws InvalidInput */
export function emailOf(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (email.length > LONGEST_EMAIL || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email)) {
    throw new InvalidInput('email must be an address')
  }
  return email
}

/**
 * Normalizes a password to the form that is hashed (NFKC); null if no valid password has this
 * form.
 */
export function typedPassword(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_SENT || !value.isWellFormed()) return null
  const password = value.normalize('NFKC')
  const { length } = Array.from(password)
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD ? password : null
}

/** Validates a new password. @throws InvalidInput */
export function newPassword(value: unknown): string {
  const password = typedPassword(value)
  if (password === null) {
    throw new InvalidInput(
      `password must be ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`,
    )
  }
  return password
}

/** Validates a display name. @throws InvalidInput */
export function nameOf(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  const { length } = Array.from(name)
  if (length === 0 || length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw new InvalidInput(`name must be 1 to ${LONGEST_NAME} characters`)
  }
  return name
}

/** Default name of an account without a given name. */
export const nameFromEmail = (email: string): string =>
  Array.from(email.split('@')[0] ?? '')
    .slice(0, LONGEST_NAME)
    .join('')
