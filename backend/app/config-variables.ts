import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { absolute, address, ConfigProblem, isLoopback, choiceOf, integer } from './config-values.ts'
import { VENUE_TABLE, type Venue } from '../domain/venue.ts'
import type { KeyStore } from '../lib/files/installation-key.ts'

/** The key pair for a venue's sockets; a venue without one is polled. */
export interface VenueKeys {
  readonly keyId: string
  readonly privateKeyPath: string
}

/** An identity provider whose tokens are accepted besides our own. */
export interface IdentityProviderSettings {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
}

/** A chat completions endpoint and the model of each tier. */
export interface LanguageModelSettings {
  readonly url: string
  readonly key: string | null
  readonly models: {
    readonly cheap: string
    readonly medium?: string
    readonly heavy?: string
  }
}

/** Environment variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** Settings that have an environment variable and no flag. */
export const VARIABLES: readonly (readonly [name: string, help: string])[] = [
  ['SIGNUP', 'open | closed: whether anyone may create an account (open on loopback, else closed)'],
  ['IDP_ISSUER', 'identity provider whose tokens are accepted; all three or none'],
  ['IDP_AUDIENCE', 'audience of its tokens'],
  ['IDP_JWKS_URL', 'address of its keys, https or on this machine'],
  ['FAIR_USE', 'requests per minute for all users, or off (by tier)'],
  ['TRUSTED_PROXY', 'address of a proxy whose forwarded headers are trusted'],
  ['SMTP_URL', 'mail server of alerts: smtp://user:password@host:port or smtps://…'],
  ['SMTP_FROM', 'sender of their messages (augury@ the host of the mail server)'],
  ['TELEGRAM_TOKEN', 'token of the Telegram bot that sends alerts'],
  ['TELEGRAM_URL', 'address of the bot API (https://api.telegram.org)'],
  ['LLM_URL', 'address of a chat completions endpoint that writes texts'],
  ['LLM_KEY', 'its key'],
  ['LLM_CHEAP', 'model of the cheap tier (LLM_BASE), also of LLM_MEDIUM and LLM_HEAVY'],
  ['LLM_MEDIUM', 'model of the medium tier'],
  ['LLM_HEAVY', 'model of the heavy tier'],
  ['LLM_CHEAP_PRICE', 'dollars per million input/output tokens, as 0.8/4; also LLM_MEDIUM_PRICE …'],
  ...VENUE_TABLE.filter(({ socketsNeedKeys }) => socketsNeedKeys).flatMap(
    ({ id, name }): (readonly [string, string])[] => [
      [`${id.toUpperCase()}_KEY_ID`, `key of the sockets of ${name}; both or none (polled)`],
      [`${id.toUpperCase()}_PRIVATE_KEY_PATH`, 'absolute path of its private key'],
    ],
  ),
  ['EXPORT_DIRS', 'additional folders that exports may write to'],
  ['KEY_STORE', 'auto | keychain | file: where the key that encrypts secrets is stored (auto)'],
]

/** Open by default on a loopback host, else closed. */
export const readSignup = (text: string | undefined, host: string): 'open' | 'closed' =>
  text === undefined || text === ''
    ? isLoopback(host)
      ? 'open'
      : 'closed'
    : choiceOf(['open', 'closed'] as const)(text, 'AUGURY_SIGNUP')

/** Returns issuer, audience and keys, or null when none of them is set. */
export function readIdentityProvider(env: Env): IdentityProviderSettings | null {
  const variable = (name: string): string => env[`AUGURY_IDP_${name}`]?.trim() ?? ''
  const [issuer, audience, jwksUrl] = [
    variable('ISSUER'),
    variable('AUDIENCE'),
    variable('JWKS_URL'),
  ]
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

/** A new key goes to the keychain of the system where there is one, unless this setting names another place. */
export const readKeyStore = (text: string | undefined): KeyStore =>
  text === undefined || text === ''
    ? 'auto'
    : choiceOf(['auto', 'keychain', 'file'] as const)(text, 'AUGURY_KEY_STORE')

/** Requests per minute, or off; null when not set. */
export const readFairUse = (text: string | undefined): number | 'off' | null => {
  if (text === undefined || text === '') return null
  return text === 'off' ? 'off' : integer(1, 10_000_000)(text, 'AUGURY_FAIR_USE')
}

/** An IP address; null when not set. */
export const readTrustedProxy = (text: string | undefined): string | null => {
  if (text === undefined || text === '') return null
  if (isIP(text) === 0) {
    throw new ConfigProblem(`AUGURY_TRUSTED_PROXY must be an IP address, was "${text}"`)
  }
  return text
}

/** Folders as in PATH: separated by `:`, on Windows by `;`. */
export function readExportDirs(text: string | undefined, platform: NodeJS.Platform): string[] {
  const folders = (text ?? '').split(platform === 'win32' ? ';' : ':').filter((dir) => dir !== '')
  for (const folder of folders) {
    if (!isAbsolute(folder)) {
      throw new ConfigProblem(
        `AUGURY_EXPORT_DIRS must list absolute paths of folders, was "${folder}"`,
      )
    }
  }
  return folders
}

/** A mail server and a bot that send alerts; null for a channel without settings. */
export interface NotificationSettings {
  readonly smtp: { readonly url: string; readonly from: string } | null
  readonly telegram: { readonly token: string; readonly url: string } | null
}

/** @throws ConfigProblem for an invalid address; the message omits the password */
export function readNotifications(env: Env): NotificationSettings {
  const variable = (name: string): string | null => env[`AUGURY_${name}`]?.trim() || null
  const [server, token] = [variable('SMTP_URL'), variable('TELEGRAM_TOKEN')]
  const smtp = server === null ? null : URL.parse(server)
  const isMail = smtp?.protocol === 'smtp:' || smtp?.protocol === 'smtps:'
  if (server !== null && !(isMail && smtp.hostname !== '')) {
    throw new ConfigProblem('AUGURY_SMTP_URL must be smtp://host:port or smtps://host:port')
  }
  const value = variable('TELEGRAM_URL') ?? 'https://api.telegram.org'
  const url = address('http:', 'https:')(value, 'AUGURY_TELEGRAM_URL') ?? value
  const from = variable('SMTP_FROM') ?? `augury@${smtp?.hostname ?? 'localhost'}`
  return {
    smtp: server === null ? null : { url: server, from },
    telegram: token === null ? null : { token, url: url.replace(/\/$/, '') },
  }
}

/** The cheap tier falls back to the base model, the more expensive tiers to the cheap one. */
export function readLanguageModel(env: Env): LanguageModelSettings | null {
  const variable = (name: string): string | null => env[`AUGURY_LLM_${name}`]?.trim() || null
  const value = variable('URL')
  if (value === null) return null
  const url = address('http:', 'https:')(value, 'AUGURY_LLM_URL') ?? value
  const [medium, heavy] = [variable('MEDIUM'), variable('HEAVY')]
  const cheap = variable('CHEAP') ?? variable('BASE') ?? medium ?? heavy
  if (cheap === null) {
    throw new ConfigProblem('AUGURY_LLM_URL needs a model: set AUGURY_LLM_CHEAP to its name')
  }
  const prices = (['cheap', 'medium', 'heavy'] as const).flatMap((tier) => {
    const priceText = variable(`${tier.toUpperCase()}_PRICE`)
    return priceText === null ? [] : [[tier, tokenPrice(priceText, tier)] as const]
  })
  return {
    url,
    key: variable('KEY'),
    ...(prices.length > 0 && { prices: Object.fromEntries(prices) }),
    models: {
      cheap,
      ...(medium === null ? {} : { medium }),
      ...(heavy === null ? {} : { heavy }),
    },
  }
}

/** Parses a price such as `0.8/4`: dollars per million input and output tokens. */
function tokenPrice(priceText: string, tier: string): { input: number; output: number } {
  const rateMatch = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(priceText)
  if (rateMatch === null) {
    throw new ConfigProblem(
      `AUGURY_LLM_${tier.toUpperCase()}_PRICE must be dollars per million input and output tokens, as 0.8/4`,
    )
  }
  return { input: Number(rateMatch[1]), output: Number(rateMatch[2]) }
}

/**
 * The key pairs of the venues whose sockets need one, each from `AUGURY_<VENUE>_KEY_ID` and
 * `AUGURY_<VENUE>_PRIVATE_KEY_PATH`. Venues without a configured pair are absent.
 * @throws ConfigProblem when only one of the two variables is set
 */
export function readVenueKeys(env: Env): Readonly<Partial<Record<Venue, VenueKeys>>> {
  const pairs: Partial<Record<Venue, VenueKeys>> = {}
  for (const { id, socketsNeedKeys } of VENUE_TABLE) {
    if (!socketsNeedKeys) continue
    const prefix = `AUGURY_${id.toUpperCase()}`
    const keyId = env[`${prefix}_KEY_ID`]
    const privateKeyPath = env[`${prefix}_PRIVATE_KEY_PATH`]
    if (!keyId && !privateKeyPath) continue
    if (!keyId || !privateKeyPath) {
      throw new ConfigProblem(
        `${prefix}_KEY_ID and ${prefix}_PRIVATE_KEY_PATH must be set together`,
      )
    }
    pairs[id] = { keyId, privateKeyPath: absolute(privateKeyPath) }
  }
  return pairs
}
