import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Bytes of all files below a folder, as they are long. What disappears meanwhile counts nothing;
 * links count themselves, not what they lead to.
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
