import { VENUES, type Venue } from '../venue.ts'

/** A field of the credentials of a venue, as forms and commands request it. */
export interface CredentialField {
  readonly name: string
  /** Label of a form. */
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  /** Never shown again, and never on a command line. */
  readonly isSecret: boolean
  /** Whether its value has several lines. */
  readonly isMultiline: boolean
  readonly isNumber: boolean
  /** What a valid value looks like, for the form and for the message of a refusal. */
  readonly pattern: RegExp
  readonly rule: string
}

const field = (
  name: string,
  label: string,
  rest: Partial<CredentialField> & Pick<CredentialField, 'hint' | 'pattern' | 'rule'>,
): CredentialField => ({
  name,
  label,
  isRequired: true,
  isSecret: false,
  isMultiline: false,
  isNumber: false,
  ...rest,
})

const PEM =
  /^-----BEGIN (?:RSA )?PRIVATE KEY-----\r?\n(?:[A-Za-z0-9+/=]{1,80}\r?\n)+-----END (?:RSA )?PRIVATE KEY-----$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ADDRESS_RULE = 'must be 0x and 40 hex digits'
const ANY = /^[\x21-\x7e]{1,512}$/
const ANY_RULE = 'must be 1 to 512 characters without spaces'

/** The fields of the credentials of the venues that take orders, in the order of the form. */
const FIELDS: Readonly<Partial<Record<string, readonly CredentialField[]>>> = {
  venue_a: [
    field('keyId', 'Key ID', {
      hint: 'The ID of an API key of your account',
      pattern: /^[\x21-\x7e]{1,128}$/,
      rule: 'must be 1 to 128 characters without spaces',
    }),
    field('privateKeyPem', 'Private key (PEM)', {
      hint: 'The file that was downloaded when the API key was created',
      isSecret: true,
      isMultiline: true,
      pattern: PEM,
      rule: 'must be a private key in PEM without a passphrase',
    }),
  ],
  venue_b: [
    field('walletAddress', 'Wallet address', {
      hint: 'The address that signs orders',
      pattern: ADDRESS,
      rule: ADDRESS_RULE,
    }),
    field('privateKey', 'Private key of the wallet', {
      hint: '0x and 64 hex digits',
      isSecret: true,
      pattern: /^0x[0-9a-fA-F]{64}$/,
      rule: 'must be 0x and 64 hex digits',
    }),
    field('signatureType', 'Signature type', {
      hint: '0 wallet, 1 proxy, 2 Safe, 3 deposit wallet',
      isNumber: true,
      pattern: /^[0-3]$/,
      rule: 'must be 0, 1, 2 or 3',
    }),
    field('funder', 'Funder address', {
      hint: 'The address that holds the funds, if it is another one',
      isRequired: false,
      pattern: ADDRESS,
      rule: ADDRESS_RULE,
    }),
    field('apiKey', 'API key', {
      hint: 'Derived from the wallet when empty',
      isRequired: false,
      pattern: ANY,
      rule: ANY_RULE,
    }),
    field('apiSecret', 'API secret', {
      hint: 'Secret of the API key',
      isRequired: false,
      isSecret: true,
      pattern: ANY,
      rule: ANY_RULE,
    }),
    field('passphrase', 'Passphrase', {
      hint: 'Passphrase of the API key',
      isRequired: false,
      isSecret: true,
      pattern: ANY,
      rule: ANY_RULE,
    }),
  ],
}

/** The fields of the credentials of a venue; none for a venue without credentials. */
export const credentialFields = (venue: Venue): readonly CredentialField[] => FIELDS[venue] ?? []

/** Venues that have credentials. */
export const CREDENTIAL_VENUES = VENUES.filter((venue) => credentialFields(venue).length > 0)

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
  | { readonly fault: string; readonly field: CredentialField } {
  const values: Record<string, string | number> = {}
  for (const field of credentialFields(venue)) {
    const text = (texts[field.name] ?? '').trim()
    if (text === '') {
      if (field.isRequired) return { fault: `${field.label} is required`, field }
    } else if (!field.pattern.test(text)) {
      return { fault: `${field.label} ${field.rule}`, field }
    } else {
      values[field.name] = field.isNumber ? Number(text) : text
    }
  }
  return { values }
}

const SECRETS_IN_CLEAR = /-----BEGIN|BEGIN [A-Z ]*PRIVATE KEY|0x[0-9a-fA-F]{64}/

/** Whether a text looks like a private key that is not encrypted. */
export const looksLikePrivateKey = (text: string): boolean => SECRETS_IN_CLEAR.test(text)
