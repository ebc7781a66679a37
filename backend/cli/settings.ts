import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defaultDataDir } from '../lib/data-folder.ts'
import { readLaunch } from '../lib/launch-file.ts'
import { misuse } from './failure.ts'
import type { Flags } from './flags.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Whom to ask, as whom, and for how long. */
export interface Settings {
  readonly apiUrl: string
  /** Null where none is set, or where it was stored for another address. */
  readonly apiKey: string | null
  readonly dataDir: string
  readonly timeoutMs: number
}

const DEFAULT_URL = 'http://127.0.0.1:4870'
const DEFAULT_TIMEOUT_S = 30

/** Where the configuration file is; the same on every platform. */
export const configPathOf = (env: Env, home: string): string =>
  env['AUGURY_CONFIG'] ?? join(home, '.augury', 'config.json')

/**
 * Flag over environment over file over the data folder's running service over default.
 * @param warn hears when the file's modes were loose and have been tightened
 * @throws CliFailure (usage) for a broken file or an address that is none
 */
export function readSettings(
  flags: Flags,
  env: Env,
  place: { home: string; cwd: string; platform: NodeJS.Platform },
  warn: (line: string) => void,
): Settings {
  const file = readConfigFile(configPathOf(env, place.home), place.platform, warn)
  const dataDir = flags.word('data') ?? nonEmpty(env['AUGURY_DATA'])
  const folder =
    dataDir === null ? defaultDataDir(env, place.platform) : resolve(place.cwd, dataDir)
  const named = flags.word('api-url') ?? nonEmpty(env['AUGURY_API_URL']) ?? file.apiUrl
  const apiUrl = addressOf(named ?? readLaunch(folder)?.url ?? DEFAULT_URL)
  const given = flags.word('api-key') ?? nonEmpty(env['AUGURY_API_KEY'])
  const isStoredFor = new URL(file.apiUrl ?? DEFAULT_URL).origin === new URL(apiUrl).origin
  return {
    apiUrl,
    apiKey: given ?? (isStoredFor ? file.apiKey : null),
    dataDir: folder,
    timeoutMs: (flags.number('timeout') ?? DEFAULT_TIMEOUT_S) * 1000,
  }
}

const nonEmpty = (value: string | undefined): string | null =>
  value === undefined || value === '' ? null : value

function addressOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw misuse(`--api-url must be an http or https address, was "${address}"`)
  }
  return address.replace(/\/+$/, '')
}

interface ConfigFile {
  readonly apiKey: string | null
  readonly apiUrl: string | null
}

function readConfigFile(
  path: string,
  platform: NodeJS.Platform,
  warn: (line: string) => void,
): ConfigFile {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch {
    return { apiKey: null, apiUrl: null }
  }
  if (platform !== 'win32') tighten(path, warn)
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw misuse(`${path} is not JSON: ${why}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misuse(`${path} must hold a JSON object`)
  }
  const { apiKey, apiUrl } = value as Record<string, unknown>
  return {
    apiKey: typeof apiKey === 'string' && apiKey !== '' ? apiKey : null,
    apiUrl: typeof apiUrl === 'string' && apiUrl !== '' ? addressOf(apiUrl) : null,
  }
}

function tighten(path: string, warn: (line: string) => void): void {
  for (const [place, mode] of [
    [path, 0o600],
    [dirname(path), 0o700],
  ] as const) {
    if ((statSync(place).mode & 0o077) === 0) continue
    // A folder of someone's own choice (AUGURY_CONFIG) is not ours to close.
    if (place !== path && !place.endsWith('.augury')) continue
    chmodSync(place, mode)
    warn(`augury: ${place} could be read by others; its mode is now ${mode.toString(8)}`)
  }
}
