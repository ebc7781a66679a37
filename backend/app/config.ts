import { absolute, address, ConfigProblem, choiceOf, integer } from './config-values.ts'
import type { Venue } from '../domain/venue.ts'
import {
  readExportDirs,
  readFairUse,
  readIdentityProvider,
  readKeyStore,
  readLanguageModel,
  readNotifications,
  readSignup,
  readTrustedProxy,
  readVenueKeys,
  VARIABLES,
  type Env,
  type IdentityProviderSettings,
  type LanguageModelSettings,
  type NotificationSettings,
  type VenueKeys,
} from './config-variables.ts'
import { defaultDataDir } from '../lib/files/data-folder.ts'
import { LOG_LEVELS, type LogLevel } from '../lib/logger.ts'
import type { KeyStore } from '../lib/files/installation-key.ts'
import { isSameSite } from '../lib/same-site.ts'

export { ConfigProblem, defaultDataDir }

export type Source = 'auto' | 'live' | 'demo' | 'none'
export type Role = 'api' | 'ingest' | 'worker'
const SOURCES: readonly Source[] = ['auto', 'live', 'demo', 'none']
const ROLES: readonly Role[] = ['api', 'ingest', 'worker']

/** Configured addresses that differ from the bound one; null follows host and port. */
export interface ConfiguredUrls {
  readonly base: string | null
  readonly data: string | null
  readonly ws: string | null
  readonly app: string | null
}

export interface Config {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  readonly dataDir: string
  readonly source: Source
  readonly seed: number
  readonly demoMarkets: number
  readonly roles: ReadonlySet<Role>
  readonly urls: ConfiguredUrls
  readonly webhookAllowLoopback: boolean
  readonly logLevel: LogLevel
  /**
   * Requests per minute that replace every tier's general limit; 'off' removes it, null keeps the
   * tiers.
   */
  readonly fairUse: number | 'off' | null
  /** Peer whose forwarded headers are trusted. */
  readonly trustedProxy: string | null
  readonly venueKeys: Readonly<Partial<Record<Venue, VenueKeys>>>
  /** Null when texts are generated without a model. */
  readonly languageModel: LanguageModelSettings | null
  readonly notifications: NotificationSettings
  /** Folders that exports may write to besides the data folder's own. */
  readonly exportDirs: readonly string[]
  readonly keyStore: KeyStore
  /** Whether anyone may create an account; by default only on a loopback host. */
  readonly signup: 'open' | 'closed'
  readonly identityProvider: IdentityProviderSettings | null
}

interface Setting<T> {
  readonly flag: string
  readonly placeholder: string
  readonly fallback: string
  readonly help: string
  readonly read: (text: string, name: string) => T
}

const setting = <T>(
  flag: string,
  placeholder: string,
  fallback: string,
  help: string,
  read: Setting<T>['read'],
): Setting<T> => ({ flag, placeholder, fallback, help, read })

const SETTINGS = {
  port: setting(
    'port',
    'N',
    '4870',
    'port to listen on; 0 picks any free port',
    integer(0, 65_535),
  ),
  host: setting('host', 'ADDRESS', '127.0.0.1', 'address to bind', (text, name) => {
    if (text.trim() === '') throw new ConfigProblem(`${name} must be an address, was empty`)
    return text.trim()
  }),
  data: setting('data', 'DIR', '', 'data folder', (text) => text),
  source: setting('source', 'WORD', 'auto', SOURCES.join(' | '), choiceOf(SOURCES)),
  seed: setting('seed', 'N', '1', 'seed of the demo', integer(0, 4_294_967_295)),
  demoMarkets: setting('demo-markets', 'N', '2000', 'size of the demo', integer(1, 100_000)),
  roles: setting(
    'roles',
    'LIST',
    ROLES.join(','),
    'parts to run',
    (text, name): ReadonlySet<Role> => {
      const names = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
      if (names.length === 0) throw new ConfigProblem(`${name} must name at least one role`)
      return new Set(names.map((role) => choiceOf(ROLES)(role, name)))
    },
  ),
  baseUrl: setting('base-url', 'URL', '', 'address of the service', address('http:', 'https:')),
  dataUrl: setting(
    'data-url',
    'URL',
    '',
    'address of the data service',
    address('http:', 'https:'),
  ),
  wsUrl: setting('ws-url', 'URL', '', 'address of the socket', address('ws:', 'wss:')),
  appUrl: setting('app-url', 'URL', '', 'address of the terminal', address('http:', 'https:')),
  logLevel: setting('log-level', 'WORD', 'info', LOG_LEVELS.join(' | '), choiceOf(LOG_LEVELS)),
} as const

const SWITCH_VALUES = new Map([
  ...['true', '1', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'off'].map((word) => [word, false] as const),
])

/** The only flag whose value is optional. */
const WEBHOOK_LOOPBACK = setting(
  'webhook-allow-loopback',
  '',
  'off',
  'allow webhooks to this machine',
  (text, name): boolean => {
    const isOn = SWITCH_VALUES.get(text.toLowerCase())
    if (isOn === undefined) throw new ConfigProblem(`${name} must be on or off, was "${text}"`)
    return isOn
  },
)

const variableOf = (flag: string): string => `AUGURY_${flag.replaceAll('-', '_').toUpperCase()}`

/** Width of the names in `usage`: that of the longest variable, and a gap. */
const NAME_WIDTH = 34

/** Flags of the backend for `--help`, one per line. */
export function usage(): string {
  const rows = [...Object.values(SETTINGS), WEBHOOK_LOOPBACK].map((row) => {
    const name = `--${row.flag} ${row.placeholder}`
    return `  ${name.padEnd(NAME_WIDTH)}${row.help}${row.fallback === '' ? '' : ` (${row.fallback})`}`
  })
  const variables = VARIABLES.map(
    ([name, help]) => `  ${`AUGURY_${name}`.padEnd(NAME_WIDTH)}${help}`,
  )
  return [
    'Each flag is also a variable, AUGURY_PORT for --port. Flags win.',
    ...rows,
    'Environment variables only:',
    ...variables,
  ].join('\n')
}

/**
 * Parses flags and environment into a Config; flags win.
 * @throws ConfigProblem for an unknown flag, or a missing or bad value
 */
export function readConfig(
  argv: readonly string[],
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Config {
  const flags = readFlags(argv)
  const value = <T>(row: Setting<T>): T => {
    const value = flags.get(row.flag)
    if (value !== undefined) return row.read(value, `--${row.flag}`)
    const variable = variableOf(row.flag)
    const environmentText = env[variable]
    if (environmentText !== undefined && environmentText !== '')
      return row.read(environmentText, variable)
    return row.read(row.fallback, `--${row.flag}`)
  }
  const dataDir = value(SETTINGS.data)
  const [host, port] = [value(SETTINGS.host), value(SETTINGS.port)]
  const urls: ConfiguredUrls = {
    base: value(SETTINGS.baseUrl),
    data: value(SETTINGS.dataUrl),
    ws: value(SETTINGS.wsUrl),
    app: value(SETTINGS.appUrl),
  }
  refuseForeignPage(urls, host)
  return {
    host,
    port,
    dataDir: dataDir === '' ? defaultDataDir(env, platform) : absolute(dataDir),
    source: value(SETTINGS.source),
    seed: value(SETTINGS.seed),
    demoMarkets: value(SETTINGS.demoMarkets),
    roles: value(SETTINGS.roles),
    urls,
    webhookAllowLoopback: value(WEBHOOK_LOOPBACK),
    logLevel: value(SETTINGS.logLevel),
    fairUse: readFairUse(env['AUGURY_FAIR_USE']),
    trustedProxy: readTrustedProxy(env['AUGURY_TRUSTED_PROXY']),
    venueKeys: readVenueKeys(env),
    languageModel: readLanguageModel(env),
    notifications: readNotifications(env),
    exportDirs: readExportDirs(env['AUGURY_EXPORT_DIRS'], platform),
    keyStore: readKeyStore(env['AUGURY_KEY_STORE']),
    signup: readSignup(env['AUGURY_SIGNUP'], host),
    identityProvider: readIdentityProvider(env),
  }
}

function readFlags(argv: readonly string[]): Map<string, string> {
  const flagNames = new Set<string>(Object.values(SETTINGS).map((row) => row.flag))
  const flagValues = new Map<string, string>()
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? ''
    const match = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument)
    const name = match?.[1]
    if (name === WEBHOOK_LOOPBACK.flag) {
      flagValues.set(name, match?.[2] ?? 'true')
      continue
    }
    if (name === undefined || !flagNames.has(name)) {
      const flags = [...flagNames, WEBHOOK_LOOPBACK.flag].join(', --')
      throw new ConfigProblem(`unknown flag "${argument}". Known flags: --${flags}`)
    }
    const inline = match?.[2]
    const next = inline ?? argv[++index]
    if (next === undefined || (inline === undefined && next.startsWith('--'))) {
      throw new ConfigProblem(`--${name} needs a value`)
    }
    flagValues.set(name, next)
  }
  return flagValues
}

/** Browsers send a session cookie only to the site that the page belongs to. */
function refuseForeignPage({ base, app }: ConfiguredUrls, host: string): void {
  if (app === null) return
  const service = base ?? `http://${host.includes(':') ? `[${host}]` : host}`
  const url = URL.parse(service)
  if (url === null || !isSameSite(url, new URL(app))) {
    throw new ConfigProblem(
      `--app-url must be on the same site as the service (${service}), because browsers send the session cookie to no other; was "${app}"`,
    )
  }
}
