import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../lib/files/durable-file.ts'

/** The history's file in a data folder. */
export const HISTORY_FILE = 'history.duckdb'

/** State of a file at the stop; any later change of its content changes one of these. */
export interface FileStamp {
  readonly size: number
  readonly mtimeMs: number
}

/** Content of DATA/run/clean-stop.json: each store by file name, as the last stop left it. */
export type CleanStop = Readonly<Record<string, FileStamp>>

const markerOf = (dataDir: string): string => join(dataDir, 'run', 'clean-stop.json')

/** Null for a file that is not there. */
export function stampOf(path: string): FileStamp | null {
  const fileStats = statSync(path, { throwIfNoEntry: false })
  return fileStats === undefined ? null : { size: fileStats.size, mtimeMs: fileStats.mtimeMs }
}

export const sameStamp = (a: FileStamp | null | undefined, b: FileStamp | null): boolean =>
  a?.size === b?.size && a?.mtimeMs === b?.mtimeMs

/** Whether the folder holds a history without a marker of a clean stop. */
export const wasLeftOpen = (dataDir: string): boolean =>
  existsSync(join(dataDir, HISTORY_FILE)) && !existsSync(markerOf(dataDir))

/**
 * Reads and removes the marker of the last stop: it is valid for one start only, so that a process
 * that dies leaves none. Empty when the last stop was not clean.
 */
export function consumeCleanStop(dataDir: string): CleanStop {
  const marker = readMarker(markerOf(dataDir))
  rmSync(markerOf(dataDir), { force: true })
  return marker
}

/** Records that these files were closed in order; call it when all of them are. */
export function markCleanStop(dataDir: string, names: readonly string[]): void {
  const stamps = names.flatMap((name) => {
    const fileStamp = stampOf(join(dataDir, name))
    return fileStamp === null ? [] : [[name, fileStamp] as const]
  })
  replaceFile(markerOf(dataDir), JSON.stringify(Object.fromEntries(stamps)))
}

function readMarker(path: string): CleanStop {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, FileStamp] => isStamp(entry[1])),
    )
  } catch {
    return {}
  }
}

const isStamp = (value: unknown): value is FileStamp =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  'mtimeMs' in value &&
  typeof value.size === 'number' &&
  typeof value.mtimeMs === 'number'
