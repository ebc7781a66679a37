import { resolve } from 'node:path'
import { defaultDataDir } from '../lib/files/data-folder.ts'
import { configPathOf, readConfigFile, type Config, type Env } from './config-file.ts'
import {
  configKey,
  CREDENTIAL_SETTINGS,
  removalAdvice,
  DEFAULT_URL,
  problemOfStored,
  refuseProblem,
} from './service/config-keys.ts'
import type { ConfigName } from './service/config-keys.ts'
import { serviceOf } from './service/running-replays.ts'
import { usageError } from './failure.ts'
import type { Flags } from './flags.ts'
import { clean } from './terminal/output.ts'

/** Address, identity and timeout of requests. */
export interface Settings {
  readonly apiUrl: string
  /** Whether the address was given on the command line or by the environment. */
  readonly isNamed: boolean
  /** Null when none is set, or when it was stored for another address. */
  readonly apiKey: string | null
  /** The key in the configuration file and the origin it is for. */
  readonly stored: StoredKey | null
  /** Whether the file's value for the key is not a valid key. */
  readonly hasInvalidKey: boolean
  /** Null lets the service choose. */
  readonly defaultModel: string | null
  /** Ids and paths of credentials in the configuration, never a secret. */
  readonly venueDefaults: ReadonlyMap<ConfigName, string | null>
  readonly configPath: string
  readonly dataDir: string
  readonly timeoutMs: number
}

export interface StoredKey {
  readonly key: string
  readonly origin: string
}

const DEFAULT_TIMEOUT_S = 30
const MAX_TIMEOUT_S = 86_400

/**
 * A flag wins over the environment, then the file, then the data folder's running service, then
 * the default; a data folder named on the command line wins over the file.
 * @param warn called when loose file modes have been tightened, and for ignored values
 * @param ignoresBadValues whether bad values of the file are ignored with a warning
 * @throws CliFailure (usage) for a broken file or a bad value
 */
export function readSettings(
  flags: Flags,
  env: Env,
  environment: { home: string; cwd: string; platform: NodeJS.Platform },
  warn: (line: string) => void,
  ignoresBadValues = false,
): Settings {
  const configPath = configPathOf(env, environment)
  const config = readConfigFile(configPath, environment.platform, warn)
  const environmentValue = (key: ConfigName): string | null => {
    const name = configKey(key).env
    const value = nonEmpty(env[name])
    if (value !== null) refuseProblem(key, value, name)
    return value
  }
  const fileValue = (key: ConfigName): string | null => {
    const value = config[key]
    const problem = problemOfStored(key, value)
    if (problem === null) return nonEmpty(value as string | null | undefined)
    const message = `${key} in ${configPath} ${problem}`
    if (!ignoresBadValues) throw usageError(message, removalAdvice(key))
    warn(`augury: ${clean(message)}; it is ignored`)
    return null
  }

  const dataDir = flags.text('data') ?? nonEmpty(env['AUGURY_DATA'])
  const folder =
    dataDir === null ? defaultDataDir(env, environment.platform) : resolve(environment.cwd, dataDir)
  const flagUrl = flags.text('api-url')
  if (flagUrl !== null) refuseProblem('apiUrl', flagUrl, '--api-url')
  const explicitUrl = flagUrl ?? environmentValue('apiUrl')
  const urlOfRunningService = (): string | null => serviceOf(folder)?.url ?? null
  const apiUrl =
    explicitUrl ??
    (flags.has('data') ? urlOfRunningService() : null) ??
    fileValue('apiUrl') ??
    urlOfRunningService() ??
    DEFAULT_URL

  const flaggedKey = flags.text('api-key')
  if (flaggedKey !== null) refuseProblem('apiKey', flaggedKey, '--api-key')
  const storedKey = storedKeyOf(config, fileValue('apiKey'))
  const isStoredFor = storedKey?.origin === new URL(apiUrl).origin
  return {
    apiUrl: apiUrl.replace(/\/+$/, ''),
    isNamed: explicitUrl !== null,
    apiKey: flaggedKey ?? environmentValue('apiKey') ?? (isStoredFor ? storedKey.key : null),
    stored: storedKey,
    hasInvalidKey: problemOfStored('apiKey', config['apiKey']) !== null,
    defaultModel: environmentValue('defaultModel') ?? fileValue('defaultModel'),
    venueDefaults: new Map(
      CREDENTIAL_SETTINGS.map((key) => [key, environmentValue(key) ?? fileValue(key)]),
    ),
    configPath,
    dataDir: folder,
    timeoutMs: timeoutOf(flags),
  }
}

const nonEmpty = (value: string | null | undefined): string | null =>
  value === undefined || value === '' ? null : value

/**
 * The key of a file and the origin it is sent to: the one stored with it, else that of `apiUrl`.
 * The stored origin keeps a key with its service when `apiUrl` is changed afterwards.
 */
function storedKeyOf(config: Config, key: string | null): StoredKey | null {
  if (key === null) return null
  const { apiKeyOrigin, apiUrl } = config
  const address = [apiKeyOrigin, apiUrl, DEFAULT_URL].find((value) => typeof value === 'string')
  return { key, origin: URL.parse(address ?? DEFAULT_URL)?.origin ?? '' }
}

function timeoutOf(flags: Flags): number {
  const seconds = flags.number('timeout') ?? DEFAULT_TIMEOUT_S
  if (seconds <= 0 || seconds > MAX_TIMEOUT_S) {
    throw usageError(`--timeout must be above 0 and at most ${MAX_TIMEOUT_S} seconds`)
  }
  return seconds * 1000
}

/** The file with a key for a service, which becomes the configured service. */
export const withKey = (config: Config, key: string, apiUrl: string): Config => ({
  ...config,
  apiKey: key,
  apiUrl,
  apiKeyOrigin: new URL(apiUrl).origin,
})

/** The file with another address; its key stays with the origin it is for. */
export function withAddress(config: Config, apiUrl: string | undefined): Config {
  const { apiUrl: _before, ...others } = config
  const key = config['apiKey']
  const storedKey = storedKeyOf(config, typeof key === 'string' && key !== '' ? key : null)
  return {
    ...(apiUrl === undefined ? others : { ...config, apiUrl }),
    ...(storedKey !== null && { apiKeyOrigin: storedKey.origin }),
  }
}

/** The file without its key. */
export const withoutKey = ({ apiKey: _key, apiKeyOrigin: _origin, ...rest }: Config): Config => rest
