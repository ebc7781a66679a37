import { usageError } from '../failure.ts'

/** One key of the configuration file. */
export interface ConfigKey {
  readonly env: string
  /** Only its beginning is shown unless the key is requested by name. */
  readonly isSecret?: true
  /** A file path, stored as an absolute path. */
  readonly isPath?: boolean
  readonly fallback?: string
  /** Returns why a value is invalid; null for a valid one. */
  readonly faultOf: (value: string) => string | null
}

export const DEFAULT_URL = 'http://127.0.0.1:4870'
const MODELS = ['cheap', 'medium', 'heavy']

const oneLine = (value: string): string | null =>
  /^[^\p{Cc}]+$/u.test(value) ? null : 'must be one line of text'

const keyOf =
  (prefix: string, other: string, name: string) =>
  (value: string): string | null => {
    if (!/^[\x21-\x7e]+$/.test(value))
      return 'must be letters, digits and punctuation without spaces'
    return value.startsWith(other)
      ? `is for ${name} (${prefix}…), was a key that starts with ${other}`
      : null
  }

/** Why an address cannot be used; null where it can. */
export function faultOfAddress(value: string): string | null {
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `must be an http or https address, was "${value}"`
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return url.search !== '' || url.hash !== '' ? 'must not contain ? or #' : null
}

const address = (value: string): string | null => faultOfAddress(value)

/** Every known key, in display order. */
export const CONFIG_KEYS = {
  apiKey: {
    env: 'AUGURY_API_KEY',
    isSecret: true,
    faultOf: keyOf('svc_live_', 'svct_live_', 'a service key'),
  },
  apiUrl: { env: 'AUGURY_API_URL', fallback: DEFAULT_URL, faultOf: address },
  dataApiKey: {
    env: 'AUGURY_DATA_API_KEY',
    isSecret: true,
    faultOf: keyOf('svct_live_', 'svc_live_', 'a data-service key'),
  },
  dataUrl: { env: 'AUGURY_DATA_URL', faultOf: address },
  venueAKeyId: { env: 'AUGURY_VENUE_A_KEY_ID', faultOf: oneLine },
  venueAPrivateKeyPath: {
    isPath: true,
    env: 'AUGURY_VENUE_A_PRIVATE_KEY_PATH',
    faultOf: (value) =>
      value.includes('-----BEGIN')
        ? 'must be the path of a file that contains the key'
        : oneLine(value),
  },
  venueBWalletAddress: { env: 'AUGURY_VENUE_B_WALLET_ADDRESS', faultOf: oneLine },
  defaultModel: {
    env: 'AUGURY_DEFAULT_MODEL',
    fallback: 'cheap',
    faultOf: (value) => (MODELS.includes(value) ? null : `must be one of ${MODELS.join(', ')}`),
  },
} as const satisfies Readonly<Record<string, ConfigKey>>

export type ConfigName = keyof typeof CONFIG_KEYS
export const CONFIG_NAMES = Object.keys(CONFIG_KEYS) as readonly ConfigName[]

/** Why a value of the file is invalid; null for a valid or missing one. */
export function faultOfStored(key: ConfigName, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? CONFIG_KEYS[key].faultOf(value) : 'must be text'
}

/** How to remove a bad value from the file. */
export const cureOf = (key: ConfigName): string =>
  `Fix it with: augury config set ${key} VALUE, or: augury config unset ${key}`

/** @throws CliFailure (usage) that names where the value was given */
export function refuseFault(key: ConfigName, value: string, typed: string): void {
  const fault = CONFIG_KEYS[key].faultOf(value)
  if (fault !== null) throw usageError(`${typed} ${fault}`)
}

const MAX_SHOWN = 12

/** The beginning of a secret, by which its owner recognizes it; never more than a third of it. */
export const beginningOf = (secret: string): string =>
  `${secret.slice(0, Math.min(MAX_SHOWN, Math.floor(secret.length / 3)))}…`
