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
import { CliFailure, usageError } from './failure.ts'
import { withFileLock, type WaitOptions } from './file-lock.ts'

export type Env = Readonly<Record<string, string | undefined>>
/** Content of the file, including keys that this version does not know. */
export type Config = Readonly<Record<string, unknown>>

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const FOLDER = '.augury'

/**
 * Absolute path of the configuration file, the same on every platform; an empty variable counts as
 * unset.
 */
export function configPathOf(env: Env, { home, cwd }: { home: string; cwd: string }): string {
  const { AUGURY_CONFIG: configPath = '' } = env
  return configPath === '' ? join(home, FOLDER, 'config.json') : resolve(cwd, configPath)
}

/**
 * Reads the file; empty when it does not exist.
 * @param warn called when loose file modes have been tightened
 * @throws CliFailure (usage) for a file that cannot be read or is not a JSON object; it is left
 * unchanged
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
    throw usageError(`${path} cannot be read: ${reasonOf(error)}`)
  }
  let value: unknown
  try {
    // Windows editors start a file with a byte order mark.
    value = JSON.parse(content.replace(/^\ufeff/, ''))
  } catch (error) {
    throw usageError(`${path} is not JSON${positionOf(error, content)}`, 'Fix it, or remove it.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`${path} must hold a JSON object`, 'Fix it, or remove it.')
  }
  if (platform !== 'win32') restrictModes(path, warn)
  return value as Config
}

/**
 * Updates the file in one atomic step, readable by its owner alone. Of several concurrent commands
 * each updates what the previous one wrote.
 * @param change maps the current content to the new content
 * @throws CliFailure (usage) when the file cannot be read or written; it is then left unchanged
 */
export async function updateConfigFile(
  path: string,
  system: WaitOptions & { readonly platform: NodeJS.Platform },
  change: (config: Config) => Config,
): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE })
    const target = linkTarget(path)
    await withFileLock(`${target}.lock`, system, () => {
      // Loose modes were tightened and reported when the settings were read.
      const previous = readConfigFile(path, system.platform, () => {})
      const changedConfig = change(previous)
      if (changedConfig !== previous) replace(target, changedConfig)
    })
  } catch (error) {
    if (error instanceof CliFailure || system.signal.aborted) throw error
    throw usageError(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

function replace(target: string, config: Config): void {
  const partial = join(
    dirname(target),
    `.${basename(target)}.${randomBytes(6).toString('hex')}.partial`,
  )
  try {
    const file = openSync(partial, 'wx', FILE_MODE)
    try {
      writeSync(file, `${JSON.stringify(config, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** The target of a symbolic link, so that the link is kept. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Line of the first syntax error, where known; never the content, which may be a key. */
function positionOf(error: unknown, content: string): string {
  const position = /position (\d+)/.exec(reasonOf(error))?.[1]
  if (position === undefined) return ''
  const line = content.slice(0, Number(position)).split('\n').length
  return `: syntax error in line ${line}`
}

function restrictModes(path: string, warn: (line: string) => void): void {
  for (const [target, mode] of [
    [path, FILE_MODE],
    [dirname(path), FOLDER_MODE],
  ] as const) {
    if ((statSync(target).mode & 0o077) === 0) continue
    // The modes of a folder that the user chose (AUGURY_CONFIG) are left unchanged.
    if (target !== path && basename(target) !== FOLDER) continue
    chmodSync(target, mode)
    warn(`augury: ${target} was readable by others; its mode is now ${mode.toString(8)}`)
  }
}
