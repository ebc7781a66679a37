import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'

export const MANIFEST = 'manifest.json'
/** Version of the layout of a backup folder. */
export const BACKUP_FORMAT = 1

/** One file of a backup; `path` is relative to its folder, `rows` is 0 if rows are not counted. */
export interface BackedUpFile {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Content of `manifest.json`, the last file of a backup to be written. */
export interface Manifest {
  readonly product: 'augury'
  readonly format: number
  /** Version of the application that created it. */
  readonly version: string
  /** Instant of its history, Unix ms. */
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
 * @throws InvalidInput if it is missing or cannot be read
 */
export function readManifest(folder: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
  } catch (cause) {
    throw new InvalidInput(`${folder} is not a backup: its ${MANIFEST} is missing or unreadable`, {
      cause,
    })
  }
  if (isManifest(value)) return value
  throw new InvalidInput(`${folder} is not a backup: its ${MANIFEST} does not describe one`)
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

/** A manifest is untrusted: its paths must lie below the folder. */
const isInside = (path: string): boolean =>
  path !== '' &&
  !/^[/\\]|[\\:\0]/.test(path) &&
  path.split('/').every((part) => !['', '.', '..'].includes(part))

/** Whether a folder contains a backup of any version. */
export function existsAsBackup(folder: string): boolean {
  try {
    readManifest(folder)
    return true
  } catch {
    return false
  }
}
