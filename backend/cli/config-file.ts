import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CliFailure, misuse } from './failure.ts'
import { withFileLock, type Patience } from './file-lock.ts'

export type Env = Readonly<Record<string, string | undefined>>
/** What the file holds, also what this version does not know. */
export type Config = Readonly<Record<string, unknown>>

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const FOLDER = '.augury'

/** The whole path of the configuration file, the same on every platform; an empty variable names none. */
export function configPathOf(env: Env, { home, cwd }: { home: string; cwd: string }): string {
  const { AUGURY_CONFIG: named = '' } = env
  return named === '' ? join(home, FOLDER, 'config.json') : resolve(cwd, named)
}

/**
 * What the file holds; nothing where there is none.
 * @param warn hears when modes were loose and have been tightened
 * @throws CliFailure (usage) for a file that cannot be read or is no JSON object; it is not touched
 */
export function readConfigFile(
  path: string,
  platform: NodeJS.Platform,
  warn: (line: string) => void,
): Config {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw misuse(`${path} cannot be read: ${reasonOf(error)}`)
  }
  let value: unknown
  try {
    // Editors of Windows begin a file with a byte order mark.
    value = JSON.parse(content.replace(/^\ufeff/, ''))
  } catch (error) {
    throw misuse(`${path} is not JSON${placeOf(error, content)}`, 'Mend it, or remove it.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw misuse(`${path} must hold a JSON object`, 'Mend it, or remove it.')
  }
  if (platform !== 'win32') tighten(path, warn)
  return value as Config
}

/**
 * Changes what the file holds, in one step, for its owner alone to read. Of several commands that
 * change it at once each changes what the one before left.
 * @param change the whole content anew, from what stands there
 * @throws CliFailure (usage) where it cannot be read or written; what stands there is not touched
 */
export async function updateConfigFile(
  path: string,
  around: Patience & { readonly platform: NodeJS.Platform },
  change: (config: Config) => Config,
): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const place = placeBehind(path)
    await withFileLock(`${place}.lock`, around, () => {
      // Loose modes were tightened and told when the settings were read.
      const before = readConfigFile(path, around.platform, () => {})
      const after = change(before)
      if (after !== before) replace(place, after)
    })
  } catch (error) {
    if (error instanceof CliFailure || around.signal.aborted) throw error
    throw misuse(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

function replace(place: string, config: Config): void {
  const partial = join(
    dirname(place),
    `.${basename(place)}.${randomBytes(6).toString('hex')}.partial`,
  )
  try {
    const file = openSync(partial, 'wx', FILE_MODE)
    try {
      writeSync(file, `${JSON.stringify(config, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(partial, place)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** The file that a link stands for, so that the link is kept. */
function placeBehind(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Line of the first fault, where it is told; never the content, which may be a key. */
function placeOf(error: unknown, content: string): string {
  const position = /position (\d+)/.exec(reasonOf(error))?.[1]
  if (position === undefined) return ''
  const line = content.slice(0, Number(position)).split('\n').length
  return `: fault in line ${line}`
}

function tighten(path: string, warn: (line: string) => void): void {
  for (const [place, mode] of [
    [path, FILE_MODE],
    [dirname(path), FOLDER_MODE],
  ] as const) {
    if ((statSync(place).mode & 0o077) === 0) continue
    // A folder of someone's own choice (AUGURY_CONFIG) is not ours to close.
    if (place !== path && basename(place) !== FOLDER) continue
    chmodSync(place, mode)
    warn(`augury: ${place} could be read by others; its mode is now ${mode.toString(8)}`)
  }
}
