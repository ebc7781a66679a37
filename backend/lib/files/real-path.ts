import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { InvalidInput } from '../errors.ts'

/**
 * Resolves symbolic links and `..`. A part that does not exist yet is left as written.
 * @throws the system's error, such as ENOTDIR, ELOOP or EACCES; ENOENT for a link without a
 * target, because writing to the path would follow the link
 */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(path)
    const isAbsent = code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false }) === undefined
    if (!isAbsent || parent === path) throw error
    return join(realPathOf(parent), basename(path))
  }
}

/** Whether `path` is `folder` or below it; compares text, so both should be real paths. */
export function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path)
  return relativePath === '' || (relativePath.split(sep)[0] !== '..' && !isAbsolute(relativePath))
}

/**
 * The real path of the target that a request names as `out`. @throws InvalidInput if nothing can be
 * written there
 */
export function outTargetOf(path: string): string {
  try {
    return realPathOf(path)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new InvalidInput(`out cannot be written (${code})`)
  }
}
