import { opendir, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'

const MOST_FILES = 10_000
/** Files and folders below one path, hidden ones too. */
const MOST_ENTRIES = 100_000
const tooMany = () => new InvalidInput(`paths must hold at most ${MOST_FILES} files`)

/**
 * The files of the given paths: a folder stands for the files below it, by name, hidden ones left
 * out; a file named twice is taken once.
 * @throws InvalidInput for a path that is relative, does not exist, is neither a file nor a folder, or
 * is a folder that holds no files or cannot be read
 */
export async function expandPaths(paths: readonly string[]): Promise<string[]> {
  const files = new Set<string>()
  for (const path of paths) {
    if (!isAbsolute(path)) throw new InvalidInput(`paths must be absolute, was "${path}"`)
    const found = await filesOf(path)
    if (found.length === 0) throw new InvalidInput(`path holds no files: ${path}`)
    for (const file of found) files.add(file)
    if (files.size > MOST_FILES) throw tooMany()
  }
  return [...files]
}

async function filesOf(path: string): Promise<string[]> {
  const status = await stat(path).catch(() => null)
  if (status === null) throw new InvalidInput(`path not found: ${path}`)
  if (status.isFile()) return [path]
  // A pipe or a device never ends, or keeps its reader waiting for ever.
  if (!status.isDirectory()) throw new InvalidInput(`path is neither a file nor a folder: ${path}`)
  const files: string[] = []
  try {
    let seen = 0
    for await (const entry of await opendir(path, { recursive: true })) {
      seen += 1
      // A path that was meant otherwise, such as the root, holds more than anybody waits for.
      if (seen > MOST_ENTRIES || files.length > MOST_FILES) throw tooMany()
      if (entry.isFile() && !entry.name.startsWith('.')) {
        files.push(join(entry.parentPath, entry.name))
      }
    }
  } catch (cause) {
    if (cause instanceof InvalidInput) throw cause
    throw new InvalidInput(`path could not be read: ${path}`, { cause })
  }
  return files.sort()
}
