import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'

export const MANIFEST = 'manifest.json'
/** Layout of a backup folder, not of what is in it. */
export const BACKUP_FORMAT = 1

/** One file of a backup; `path` is relative to its folder, `rows` is 0 where rows are not counted. */
export interface BackedUpFile {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** What `manifest.json` says of a backup. It is the last file written. */
export interface Manifest {
  readonly product: 'augury'
  readonly format: number
  /** Version of the program that made it. */
  readonly version: string
  /** The instant whose history it holds, Unix ms. */
  readonly at: number
  readonly historySchema: number
  readonly stateSchema: string
  /** Days since the epoch; files of later days are not closed. */
  readonly closedThrough: number
  readonly hasSecrets: boolean
  readonly files: readonly BackedUpFile[]
}

/**
 * Reads the manifest of a backup folder.
 * @throws InvalidInput when the folder holds none, or one that cannot be read
 */
export function readManifest(folder: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
  } catch (cause) {
    throw new InvalidInput(`${folder} is no backup: its ${MANIFEST} is missing or unreadable`, {
      cause,
    })
  }
  if (isManifest(value)) return value
  throw new InvalidInput(`${folder} is no backup: its ${MANIFEST} does not describe one`)
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  const { product, format, version, at, files, ...rest } = value as Record<string, unknown>
  return (
    product === 'augury' &&
    [format, at, rest['historySchema'], rest['closedThrough']].every(Number.isSafeInteger) &&
    [version, rest['stateSchema']].every((text) => typeof text === 'string') &&
    typeof rest['hasSecrets'] === 'boolean' &&
    Array.isArray(files) &&
    files.every(isFile)
  )
}

function isFile(value: unknown): value is BackedUpFile {
  if (typeof value !== 'object' || value === null) return false
  const { path, rows, bytes, sha256 } = value as Record<string, unknown>
  return (
    typeof path === 'string' &&
    isInside(path) &&
    Number.isSafeInteger(rows) &&
    Number.isSafeInteger(bytes) &&
    typeof sha256 === 'string'
  )
}

/** A manifest is foreign text: its paths lead nowhere but below the folder. */
const isInside = (path: string): boolean =>
  path !== '' &&
  !/^[/\\]|[\\:\0]/.test(path) &&
  path.split('/').every((part) => !['', '.', '..'].includes(part))

/** Whether a backup stands in a folder, of whatever version. */
export function existsAsBackup(folder: string): boolean {
  try {
    readManifest(folder)
    return true
  } catch {
    return false
  }
}
