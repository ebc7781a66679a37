import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const MB = 1e6

/** Bytes that must be free on the disk of the data folder to open and write the stores. */
export const MIN_FREE_SPACE = 8 * MB

/** Advice for a full disk. */
export const FREE_SPACE_ADVICE = 'Free space on this disk, or move the data folder to a larger one'

/** Free bytes on the disk of a folder, which need not exist yet. */
export function freeBytesOf(folder: string): number {
  let existing = resolve(folder)
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  return bavail * bsize
}

/** The message that every report shows for a full disk; null while there is room. */
export function fullDiskOf(folder: string, freeBytes = freeBytesOf(folder)): string | null {
  if (freeBytes >= MIN_FREE_SPACE) return null
  const free = (freeBytes / MB).toFixed(1)
  const neededMb = MIN_FREE_SPACE / MB
  return `The disk of ${folder} is full: ${free} MB are free, ${neededMb} MB are needed to write`
}
