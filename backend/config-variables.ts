import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import {
  absolute,
  address,
  ConfigProblem,
  isLoopback,
  oneOf,
  wholeNumber,
} from './config-values.ts'

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

/** Variables of the process, as it was given them. */
export type Env = Readonly<Record<string, string | undefined>>

/** What is set by the environment and by no flag. */
export const VARIABLES: readonly (readonly [name: string, help: string])[] = [
  ['SIGNUP', 'open | closed: who may make accounts (open on loopback, else closed)'],
  ['IDP_ISSUER', 'identity provider whose tokens are taken; all three or none'],
  ['IDP_AUDIENCE', 'audience that its tokens name'],
  ['IDP_JWKS_URL', 'address of its keys, https or on this machine'],
  ['FAIR_USE', 'requests a minute for everybody, or off (by tier)'],
  ['TRUSTED_PROXY', 'address whose forwarded headers are believed'],
  ['EXPORT_DIRS', 'further folders that exports may write to'],
]

/** Open where nobody but this machine gets here, else closed, unless it is told. */
export const readSignup = (text: string | undefined, host: string): 'open' | 'closed' =>
  text === undefined || text === ''
    ? isLoopback(host)
      ? 'open'
      : 'closed'
    : oneOf(['open', 'closed'] as const)(text, 'AUGURY_SIGNUP')

/** Issuer, audience and keys together, or none of them. */
export function readIdentityProvider(env: Env): IdentityProviderSettings | null {
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

/** Requests a minute, or off; null where nothing is told. */
export const readFairUse = (text: string | undefined): number | 'off' | null => {
  if (text === undefined || text === '') return null
  return text === 'off' ? 'off' : wholeNumber(1, 10_000_000)(text, 'AUGURY_FAIR_USE')
}

/** An IP address; null where nothing is told. */
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
      throw new ConfigProblem(`AUGURY_EXPORT_DIRS must hold absolute folders, was "${folder}"`)
    }
  }
  return folders
}

/** The cheap tier falls back to the base model, the dearer ones to the cheap one. */
export function readLanguageModel(env: Env): LanguageModelSettings | null {
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

/** Id and file of the key together, or none of them. */
export function readVenueAKeys(env: Env): VenueAKeys | null {
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
