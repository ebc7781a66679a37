import { CREDENTIAL_VENUES, credentialFields } from '../../domain/credentials/credential-fields.ts'
import type { CredentialField } from '../../domain/credentials/credential-field.ts'
import type { Venue } from '../../domain/venue.ts'
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
  readonly problemOf: (value: string) => string | null
}

export const DEFAULT_URL = 'http://127.0.0.1:4870'
const MODELS = ['cheap', 'medium', 'heavy']

const singleLineProblem = (value: string): string | null =>
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
export function problemOfAddress(value: string): string | null {
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `must be an http or https address, was "${value}"`
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  return url.search !== '' || url.hash !== '' ? 'must not contain ? or #' : null
}

const address = (value: string): string | null => problemOfAddress(value)

type CamelCase<Text extends string> = Text extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Rest>}`
  : Text
/** A setting of the credentials of a venue: its id and the name of the field, in camel case. */
type CredentialSetting = `${CamelCase<Venue>}${string}`
export type ConfigName =
  'apiKey' | 'apiUrl' | 'dataApiKey' | 'dataUrl' | 'defaultModel' | CredentialSetting

const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
/** The setting of a field of a venue's credentials; null for a field without one. */
export const credentialSetting = (venue: Venue, { setting }: CredentialField) =>
  setting === null
    ? null
    : (`${venue.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}${capitalize(setting)}` as CredentialSetting)

function credentialKey(venue: Venue, setting: string, isPath: boolean): ConfigKey {
  const name = setting.replace(/[A-Z]/g, (letter) => `_${letter}`)
  return {
    env: `AUGURY_${venue}_${name}`.toUpperCase(),
    isPath,
    problemOf: (value) =>
      isPath && value.includes('-----BEGIN')
        ? 'must be the path of a file that contains the key'
        : singleLineProblem(value),
  }
}

const CREDENTIAL_KEYS: Readonly<Record<CredentialSetting, ConfigKey>> = Object.fromEntries(
  CREDENTIAL_VENUES.flatMap((venue) =>
    credentialFields(venue).flatMap((field): [string, ConfigKey][] => {
      const name = credentialSetting(venue, field)
      if (name === null || field.setting === null) return []
      return [[name, credentialKey(venue, field.setting, field.isSecret)]]
    }),
  ),
)
/** Settings of credentials: ids, addresses and paths of files, never a secret. */
export const CREDENTIAL_SETTINGS = Object.keys(CREDENTIAL_KEYS) as readonly CredentialSetting[]

/** Every known key, in display order. */
const CONFIG_KEYS: Readonly<Record<ConfigName, ConfigKey>> = {
  apiKey: {
    env: 'AUGURY_API_KEY',
    isSecret: true,
    problemOf: keyOf('svc_live_', 'svct_live_', 'a service key'),
  },
  apiUrl: { env: 'AUGURY_API_URL', fallback: DEFAULT_URL, problemOf: address },
  dataApiKey: {
    env: 'AUGURY_DATA_API_KEY',
    isSecret: true,
    problemOf: keyOf('svct_live_', 'svc_live_', 'a data-service key'),
  },
  dataUrl: { env: 'AUGURY_DATA_URL', problemOf: address },
  ...CREDENTIAL_KEYS,
  defaultModel: {
    env: 'AUGURY_DEFAULT_MODEL',
    fallback: 'cheap',
    problemOf: (value) => (MODELS.includes(value) ? null : `must be one of ${MODELS.join(', ')}`),
  },
}
export const CONFIG_NAMES = Object.keys(CONFIG_KEYS) as readonly ConfigName[]

export function configKey(name: ConfigName): ConfigKey {
  const key = CONFIG_KEYS[name]
  if (key === undefined) throw new RangeError(`unknown key ${name}`)
  return key
}

/** Why a value of the file is invalid; null for a valid or missing one. */
export function problemOfStored(key: ConfigName, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? configKey(key).problemOf(value) : 'must be text'
}

/** How to remove a bad value from the file. */
export const removalAdvice = (key: ConfigName): string =>
  `Fix it with: augury config set ${key} VALUE, or: augury config unset ${key}`

/** @throws CliFailure (usage) that names where the value was given */
export function refuseProblem(key: ConfigName, value: string, source: string): void {
  const problem = configKey(key).problemOf(value)
  if (problem !== null) throw usageError(`${source} ${problem}`)
}

const MAX_SHOWN = 12

/** The beginning of a secret, by which its owner recognizes it; never more than a third of it. */
export const beginningOf = (secret: string): string =>
  `${secret.slice(0, Math.min(MAX_SHOWN, Math.floor(secret.length / 3)))}…`
