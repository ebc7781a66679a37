import { statfs } from 'node:fs/promises'
import { StoreFailed } from '../../../lib/errors.ts'

/** Reserved for the rest of the service. */
export const RESERVED_BYTES = 256 * 1024 ** 2

/** Free bytes of the disk of a folder; Infinity when the system does not report them. */
export async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // A write reports a full disk itself.
    return Infinity
  }
}

export const notEnoughSpace = (requiredBytes: number, available: number): StoreFailed =>
  new StoreFailed(
    `The events of this run need ${gigabytes(requiredBytes)} GB on the disk of the service, and ${gigabytes(available)} GB are free: choose a shorter range or fewer markets`,
  )

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)
