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
  /** 0x and 64 hex digits of 32 bytes. */
  readonly isHex: boolean
  /**
   * Name in the configuration of the command line, which holds the value or, of a secret, the path of
   * a file with it; null for a field that it does not hold.
   */
  readonly setting: string | null
  /** Format of a valid value, for the form and for error messages. */
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
  isHex: false,
  setting: null,
  ...rest,
})

const PEM =
  /^-----BEGIN (?:RSA )?PRIVATE KEY-----\r?\n(?:[A-Za-z0-9+/=]{1,80}\r?\n)+-----END (?:RSA )?PRIVATE KEY-----$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ADDRESS_RULE = 'must be 0x and 40 hex digits'
const ANY = /^[\x21-\x7e]{1,512}$/
const ANY_RULE = 'must be 1 to 512 characters without spaces'

/** The fields of an API key whose requests are signed with its private key. */
export const API_KEY_FIELDS: readonly CredentialField[] = [
  field('keyId', 'Key ID', {
    setting: 'keyId',
    hint: 'The ID of an API key of your account',
    pattern: /^[\x21-\x7e]{1,128}$/,
    rule: 'must be 1 to 128 characters without spaces',
  }),
  field('privateKeyPem', 'Private key (PEM)', {
    setting: 'privateKeyPath',
    hint: 'The file that was downloaded when the API key was created',
    isSecret: true,
    isMultiline: true,
    pattern: PEM,
    rule: 'must be a private key in PEM without a passphrase',
  }),
]

/** The fields of a wallet that signs orders, and of its API key. */
export const WALLET_FIELDS: readonly CredentialField[] = [
  field('walletAddress', 'Wallet address', {
    setting: 'walletAddress',
    hint: 'The address that signs orders',
    pattern: ADDRESS,
    rule: ADDRESS_RULE,
  }),
  field('privateKey', 'Private key of the wallet', {
    hint: '0x and 64 hex digits',
    isSecret: true,
    isHex: true,
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
]
