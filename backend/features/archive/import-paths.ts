import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'

const MOST_FILES = 10_000

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
    if (files.size > MOST_FILES) {
      throw new InvalidInput(`paths must hold at most ${MOST_FILES} files`)
    }
  }
  return [...files]
}

async function filesOf(path: string): Promise<string[]> {
  const status = await stat(path).catch(() => null)
  if (status === null) throw new InvalidInput(`path not found: ${path}`)
  if (status.isFile()) return [path]
  // A pipe or a device never ends, or keeps its reader waiting for ever.
  if (!status.isDirectory()) throw new InvalidInput(`path is neither a file nor a folder: ${path}`)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (cause: unknown) => {
      throw new InvalidInput(`path could not be read: ${path}`, { cause })
    },
  )
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
