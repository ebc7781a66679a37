import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder, undoAtEnd } from './leftovers.ts'

/** A separate disk in memory; null when it cannot be mounted (it needs root). */
export function mountSmallDisk(megabytes: number): string | null {
  const folder = scratchFolder('disk')
  const size = `size=${megabytes}m`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  undoAtEnd(() => unmount(folder))
  return folder
}

export function unmount(disk: string): void {
  spawnSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
}

const ballastOf = (disk: string): string => join(disk, 'ballast')

/** Fills all remaining space: in large pieces, then in small ones. */
export function fill(disk: string): void {
  for (const piece of [1_048_576, 4_096]) {
    for (let { bavail, bsize } = statfsSync(disk); bavail * bsize >= piece;) {
      writeFileSync(ballastOf(disk), Buffer.alloc(piece), { flag: 'a' })
      ;({ bavail, bsize } = statfsSync(disk))
    }
  }
}

/** Frees the filled space. */
export const free = (disk: string): void => rmSync(ballastOf(disk), { force: true })
