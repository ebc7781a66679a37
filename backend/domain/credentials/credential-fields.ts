import { descriptorOf, VENUES, type CredentialVenue, type Venue } from '../venue.ts'
import type { CredentialField } from './credential-field.ts'

/** The fields of the credentials of a venue; none for a venue without credentials. */
export const credentialFields = (venue: Venue): readonly CredentialField[] =>
  descriptorOf(venue).credentialFields

/** Venues that have credentials. */
export const CREDENTIAL_VENUES: readonly CredentialVenue[] = VENUES.filter(
  (venue) => credentialFields(venue).length > 0,
)

export type CredentialValues = Readonly<Record<string, string | number>>

/**
 * The credentials of a venue from the texts of its fields, or the first fault, which names its
 * field and never repeats a value.
 */
export function readCredentials(
  venue: Venue,
  texts: Readonly<Record<string, string | undefined>>,
):
  | { readonly values: CredentialValues }
  | { readonly problem: string; readonly field: CredentialField } {
  const values: Record<string, string | number> = {}
  for (const field of credentialFields(venue)) {
    const text = (texts[field.name] ?? '').trim()
    if (text === '') {
      if (field.isRequired) return { problem: `${field.label} is required`, field }
    } else if (!field.pattern.test(text)) {
      return { problem: `${field.label} ${field.rule}`, field }
    } else {
      values[field.name] = field.isNumber ? Number(text) : text
    }
  }
  return { values }
}

const SECRETS_IN_CLEAR = /-----BEGIN|BEGIN [A-Z ]*PRIVATE KEY|0x[0-9a-fA-F]{64}/

/** Whether a text looks like a private key that is not encrypted. */
export const looksLikePrivateKey = (text: string): boolean => SECRETS_IN_CLEAR.test(text)
