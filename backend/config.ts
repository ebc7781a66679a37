import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { defaultDataDir } from './lib/data-folder.ts'
import { LOG_LEVELS, type LogLevel } from './lib/logger.ts'
import { isSameSite } from './lib/same-site.ts'

export { defaultDataDir }

export type Source = 'auto' | 'live' | 'demo' | 'none'
export type Role = 'api' | 'ingest' | 'worker'
const SOURCES: readonly Source[] = ['auto', 'live', 'demo', 'none']
const ROLES: readonly Role[] = ['api', 'ingest', 'worker']

/** Credentials of venue_a's sockets; without them its data is polled. */
export interface VenueAKeys {
  readonly keyId: string
  readonly privateKeyPath: string
}

/** An identity provider whose tokens are taken beside our own. */
export interface IdentityProviderSettings {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
}

/** An endpoint that speaks chat completions, and the model of each tier. */
export interface LanguageModelSettings {
  readonly url: string
  readonly key: string | null
  readonly models: {
    readonly cheap: string
    readonly medium?: string
    readonly heavy?: string
  }
}

/** Addresses that differ from the bound one, as configured; null follows host and port. */
export interface ConfiguredUrls {
  readonly base: string | null
  readonly data: string | null
  readonly ws: string | null
  readonly app: string | null
}

export interface Config {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly dataDir: string
  readonly source: Source
  readonly seed: number
  readonly demoMarkets: number
  readonly roles: ReadonlySet<Role>
  readonly urls: ConfiguredUrls
  readonly webhookAllowLoopback: boolean
  readonly logLevel: LogLevel
  /** Requests a minute that replace every tier's general ceiling; 'off' lifts it; null keeps the tiers. */
  readonly fairUse: number | 'off' | null
  /** Peer whose forwarded headers are believed. */
  readonly trustedProxy: string | null
  readonly venueAKeys: VenueAKeys | null
  /** Null: texts are made without a model. */
  readonly languageModel: LanguageModelSettings | null
  /** Folders that exports may write to besides the data folder's own. */
  readonly exportDirs: readonly string[]
  /** Whether strangers may make accounts; unless told, only where nobody but this machine gets here. */
  readonly signup: 'open' | 'closed'
  readonly identityProvider: IdentityProviderSettings | null
}

/** A flag or variable that cannot be used; the message says what was given and what is accepted. */
export class ConfigProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigProblem'
  }
}

type Env = Readonly<Record<string, string | undefined>>

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

const wholeNumber =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigProblem(`${name} must be a whole number from ${min} to ${max}, was "${text}"`)
    }
    return value
  }

const oneOf =
  <T extends string>(accepted: readonly T[]) =>
  (text: string, name: string): T => {
    const match = accepted.find((word) => word === text.toLowerCase())
    if (match === undefined) {
      throw new ConfigProblem(`${name} must be one of ${accepted.join(', ')}, was "${text}"`)
    }
    return match
  }

const address =
  (...protocols: string[]) =>
  (text: string, name: string): string | null => {
    if (text === '') return null
    const url = URL.parse(text)
    if (url === null || !protocols.includes(url.protocol)) {
      const forms = protocols.map((protocol) => `${protocol}//…`).join(' or ')
      throw new ConfigProblem(`${name} must be an address like ${forms}, was "${text}"`)
    }
    return text.replace(/\/+$/, '')
  }

const SETTINGS = {
  port: setting(
    'port',
    'N',
    '4870',
    'port to listen on; 0 takes any free one',
    wholeNumber(0, 65_535),
  ),
  host: setting('host', 'ADDRESS', '127.0.0.1', 'address to bind', (text, name) => {
    if (text.trim() === '') throw new ConfigProblem(`${name} must be an address, was empty`)
    return text.trim()
  }),
  data: setting('data', 'DIR', '', 'data folder', (text) => text),
  source: setting('source', 'WORD', 'auto', SOURCES.join(' | '), oneOf(SOURCES)),
  seed: setting('seed', 'N', '1', 'seed of the demo', wholeNumber(0, 4_294_967_295)),
  demoMarkets: setting('demo-markets', 'N', '2000', 'size of the demo', wholeNumber(1, 100_000)),
  roles: setting(
    'roles',
    'LIST',
    ROLES.join(','),
    'parts to run',
    (text, name): ReadonlySet<Role> => {
      const words = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
      if (words.length === 0) throw new ConfigProblem(`${name} must name at least one role`)
      return new Set(words.map((word) => oneOf(ROLES)(word, name)))
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
  logLevel: setting('log-level', 'WORD', 'info', LOG_LEVELS.join(' | '), oneOf(LOG_LEVELS)),
} as const

const SWITCH_WORDS = new Map([
  ...['true', '1', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'off'].map((word) => [word, false] as const),
])

/** The one flag that may stand without a value. */
const WEBHOOK_LOOPBACK = setting(
  'webhook-allow-loopback',
  '',
  'off',
  'let webhooks reach this machine',
  (text, name): boolean => {
    const isOn = SWITCH_WORDS.get(text.toLowerCase())
    if (isOn === undefined) throw new ConfigProblem(`${name} must be on or off, was "${text}"`)
    return isOn
  },
)

const variableOf = (flag: string): string => `AUGURY_${flag.replaceAll('-', '_').toUpperCase()}`

/** What is set by the environment and by no flag. */
const VARIABLES: readonly (readonly [name: string, help: string])[] = [
  ['SIGNUP', 'open | closed: who may make accounts (open on loopback, else closed)'],
  ['IDP_ISSUER', 'identity provider whose tokens are taken; all three or none'],
  ['IDP_AUDIENCE', 'audience that its tokens name'],
  ['IDP_JWKS_URL', 'address of its keys, https or on this machine'],
  ['FAIR_USE', 'requests a minute for everybody, or off (by tier)'],
  ['TRUSTED_PROXY', 'address whose forwarded headers are believed'],
  ['EXPORT_DIRS', 'further folders that exports may write to'],
]

/** Flags of the backend, one line each, for `--help`. */
export function usage(): string {
  const rows = [...Object.values(SETTINGS), WEBHOOK_LOOPBACK].map((row) => {
    const name = `--${row.flag} ${row.placeholder}`
    return `  ${name.padEnd(26)}${row.help}${row.fallback === '' ? '' : ` (${row.fallback})`}`
  })
  const variables = VARIABLES.map(([name, help]) => `  ${`AUGURY_${name}`.padEnd(26)}${help}`)
  return [
    'Each flag is also a variable, AUGURY_PORT for --port. Flags win.',
    ...rows,
    'By variable alone:',
    ...variables,
  ].join('\n')
}

/**
 * Flags and environment to a Config; flags win.
 * @throws ConfigProblem for an unknown flag, a missing or a bad value
 */
export function readConfig(
  argv: readonly string[],
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Config {
  const flags = readFlags(argv)
  const value = <T>(row: Setting<T>): T => {
    const given = flags.get(row.flag)
    if (given !== undefined) return row.read(given, `--${row.flag}`)
    const variable = variableOf(row.flag)
    const fromEnv = env[variable]
    if (fromEnv !== undefined && fromEnv !== '') return row.read(fromEnv, variable)
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
    venueAKeys: readVenueAKeys(env),
    languageModel: readLanguageModel(env),
    exportDirs: readExportDirs(env['AUGURY_EXPORT_DIRS'], platform),
    signup: readSignup(env['AUGURY_SIGNUP'], host),
    identityProvider: readIdentityProvider(env),
  }
}

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path))

function readFlags(argv: readonly string[]): Map<string, string> {
  const known = new Set<string>(Object.values(SETTINGS).map((row) => row.flag))
  const given = new Map<string, string>()
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? ''
    const match = /^--([a-z-]+)(?:=(.*))?$/s.exec(word)
    const name = match?.[1]
    if (name === WEBHOOK_LOOPBACK.flag) {
      given.set(name, match?.[2] ?? 'true')
      continue
    }
    if (name === undefined || !known.has(name)) {
      const flags = [...known, WEBHOOK_LOOPBACK.flag].join(', --')
      throw new ConfigProblem(`unknown flag "${word}". Known flags: --${flags}`)
    }
    const inline = match?.[2]
    const next = inline ?? argv[++index]
    if (next === undefined || (inline === undefined && next.startsWith('--'))) {
      throw new ConfigProblem(`--${name} needs a value`)
    }
    given.set(name, next)
  }
  return given
}

/** Browsers send the cookie of a session only to the site that the page belongs to. */
function refuseForeignPage({ base, app }: ConfiguredUrls, host: string): void {
  if (app === null) return
  const service = base ?? `http://${host.includes(':') ? `[${host}]` : host}`
  const url = URL.parse(service)
  if (url === null || !isSameSite(url, new URL(app))) {
    throw new ConfigProblem(
      `--app-url must be of one site with the service (${service}), or nobody stays signed in; was "${app}"`,
    )
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

const readSignup = (text: string | undefined, host: string): 'open' | 'closed' =>
  text === undefined || text === ''
    ? isLoopback(host)
      ? 'open'
      : 'closed'
    : oneOf(['open', 'closed'] as const)(text, 'AUGURY_SIGNUP')

function readIdentityProvider(env: Env): IdentityProviderSettings | null {
  const named = (name: string): string => env[`AUGURY_IDP_${name}`]?.trim() ?? ''
  const [issuer, audience, jwksUrl] = [named('ISSUER'), named('AUDIENCE'), named('JWKS_URL')]
  if (issuer === '' && audience === '' && jwksUrl === '') return null
  if (issuer === '' || audience === '' || jwksUrl === '') {
    throw new ConfigProblem(
      'AUGURY_IDP_ISSUER, AUGURY_IDP_AUDIENCE and AUGURY_IDP_JWKS_URL must be set together',
    )
  }
  for (const [name, text] of Object.entries({ ISSUER: issuer, JWKS_URL: jwksUrl })) {
    const url = URL.parse(text)
    const isSafe = url?.protocol === 'https:'
    const isHere = url?.protocol === 'http:' && isLoopback(url.hostname)
    if (!isSafe && !isHere) {
      throw new ConfigProblem(
        `AUGURY_IDP_${name} must be an https address, or http on this machine, was "${text}"`,
      )
    }
  }
  return { issuer, audience, jwksUrl }
}

const readFairUse = (text: string | undefined): number | 'off' | null => {
  if (text === undefined || text === '') return null
  return text === 'off' ? 'off' : wholeNumber(1, 10_000_000)(text, 'AUGURY_FAIR_USE')
}

const readTrustedProxy = (text: string | undefined): string | null => {
  if (text === undefined || text === '') return null
  if (isIP(text) === 0) {
    throw new ConfigProblem(`AUGURY_TRUSTED_PROXY must be an IP address, was "${text}"`)
  }
  return text
}

/** Folders as in PATH: separated by `:`, on Windows by `;`. */
function readExportDirs(text: string | undefined, platform: NodeJS.Platform): string[] {
  const folders = (text ?? '').split(platform === 'win32' ? ';' : ':').filter((dir) => dir !== '')
  for (const folder of folders) {
    if (!isAbsolute(folder)) {
      throw new ConfigProblem(`AUGURY_EXPORT_DIRS must hold absolute folders, was "${folder}"`)
    }
  }
  return folders
}

/** The cheap tier falls back to the base model, the dearer ones to the cheap one. */
function readLanguageModel(env: Env): LanguageModelSettings | null {
  const named = (name: string): string | null => env[`AUGURY_LLM_${name}`]?.trim() || null
  const given = named('URL')
  if (given === null) return null
  const url = address('http:', 'https:')(given, 'AUGURY_LLM_URL') ?? given
  const [medium, heavy] = [named('MEDIUM'), named('HEAVY')]
  const cheap = named('CHEAP') ?? named('BASE') ?? medium ?? heavy
  if (cheap === null) {
    throw new ConfigProblem('AUGURY_LLM_URL needs a model: set AUGURY_LLM_CHEAP to its name')
  }
  return {
    url,
    key: named('KEY'),
    models: {
      cheap,
      ...(medium === null ? {} : { medium }),
      ...(heavy === null ? {} : { heavy }),
    },
  }
}

function readVenueAKeys(env: Env): VenueAKeys | null {
  const keyId = env['AUGURY_VENUE_A_KEY_ID']
  const privateKeyPath = env['AUGURY_VENUE_A_PRIVATE_KEY_PATH']
  if (!keyId && !privateKeyPath) return null
  if (!keyId || !privateKeyPath) {
    throw new ConfigProblem(
      'AUGURY_VENUE_A_KEY_ID and AUGURY_VENUE_A_PRIVATE_KEY_PATH must be set together',
    )
  }
  return { keyId, privateKeyPath: absolute(privateKeyPath) }
}
