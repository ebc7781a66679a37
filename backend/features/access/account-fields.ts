import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../contract/accounts.ts'
import { InvalidInput } from '../../lib/errors.ts'

const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 60
/** NFKC expands one code point to at most eighteen. */
const MAX_ENCODED_PASSWORD_LENGTH = MAX_PASSWORD_LENGTH * 18 * 2

/** Normalizes an email address for lookup: trimmed and lower-cased. @throws InvalidInput */
export function emailOf(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (email.length > MAX_EMAIL_LENGTH || !/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u.test(email)) {
    throw new InvalidInput('email must be an address')
  }
  return email
}

/**
 * Normalizes a password to the form that is hashed (NFKC); null if no valid password has this
 * form.
 */
export function typedPassword(value: unknown): string | null {
  if (
    typeof value !== 'string' ||
    value.length > MAX_ENCODED_PASSWORD_LENGTH ||
    !value.isWellFormed()
  )
    return null
  const password = value.normalize('NFKC')
  const { length } = Array.from(password)
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH ? password : null
}

/** Validates a new password. @throws InvalidInput */
export function newPassword(value: unknown): string {
  const password = typedPassword(value)
  if (password === null) {
    throw new InvalidInput(
      `password must be ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`,
    )
  }
  return password
}

/** Validates a display name. @throws InvalidInput */
export function nameOf(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  const { length } = Array.from(name)
  if (length === 0 || length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    throw new InvalidInput(`name must be 1 to ${MAX_NAME_LENGTH} characters`)
  }
  return name
}

/** Default name of an account without a given name. */
export const nameFromEmail = (email: string): string =>
  Array.from(email.split('@')[0] ?? '')
    .slice(0, MAX_NAME_LENGTH)
    .join('')
