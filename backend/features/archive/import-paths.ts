import { opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'
import { isWithin } from '../../lib/files/real-path.ts'

const MAX_FILES = 10_000
/** Largest number of files and folders below one path, including hidden ones. */
const MAX_ENTRIES = 100_000
const tooMany = () => new InvalidInput(`paths must contain at most ${MAX_FILES} files`)

/**
 * The files of the given paths: a folder means all files below it, sorted by name, without
 * hidden ones; a file named twice is read once.
 * @param dataDir whose own files, such as secrets, are refused
 * @throws InvalidInput for a path that is relative, missing, neither file nor folder, inside the
 * data folder, or a folder without readable files
 */
export async function expandPaths(paths: readonly string[], dataDir: string): Promise<string[]> {
  const files = new Set<string>()
  for (const path of paths) {
    if (!isAbsolute(path)) throw new InvalidInput(`paths must be absolute, was "${path}"`)
    const filesOfPath = await filesOf(path)
    if (filesOfPath.length === 0) throw new InvalidInput(`path contains no files: ${path}`)
    for (const file of filesOfPath) files.add(file)
    if (files.size > MAX_FILES) throw tooMany()
  }
  await refuseOwnFiles([...files], dataDir)
  return [...files]
}

/**
 * Refuses files of the data folder, through links too, because an import report quotes from its
 * files. Files exported into the folder can be imported.
 * @throws InvalidInput
 */
export async function refuseOwnFiles(files: readonly string[], dataDir: string): Promise<void> {
  const data = await realpath(dataDir)
  const exports = join(data, 'exports')
  for (const file of files) {
    const real = await realpath(file).catch(() => file)
    if (isWithin(data, real) && !isWithin(exports, real)) {
      throw new InvalidInput(`paths must not point to files of the data folder: ${file}`)
    }
  }
}

/** Whether a file or a folder on its relative path is hidden. */
const isHidden = (path: string): boolean => path.split(sep).some((name) => name.startsWith('.'))

async function filesOf(path: string): Promise<string[]> {
  const status = await stat(path).catch(() => null)
  if (status === null) throw new InvalidInput(`path not found: ${path}`)
  if (status.isFile()) return [path]
  // A pipe or device may never end or may block its reader.
  if (!status.isDirectory()) throw new InvalidInput(`path is neither a file nor a folder: ${path}`)
  const files: string[] = []
  try {
    let fileCount = 0
    for await (const entry of await opendir(path, { recursive: true })) {
      fileCount += 1
      // A path given by mistake, such as the root, holds too many entries to scan.
      if (fileCount > MAX_ENTRIES || files.length > MAX_FILES) throw tooMany()
      const file = join(entry.parentPath, entry.name)
      if (entry.isFile() && !isHidden(relative(path, file))) files.push(file)
    }
  } catch (cause) {
    if (cause instanceof InvalidInput) throw cause
    throw new InvalidInput(`path could not be read: ${path}`, { cause })
  }
  return files.sort()
}
