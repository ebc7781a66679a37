import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Total file length below a folder, bytes. Files that disappear meanwhile count 0; links count
 * their own size.
 */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await folderSize(path)
    else
      bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0,
      )
  }
  return bytes
}
