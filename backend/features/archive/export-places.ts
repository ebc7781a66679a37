import { lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'

/** Says where a path leads. @throws InvalidInput unless that is inside a folder for exports */
export type PlaceOf = (out: string) => Promise<string>

const CONTROL = /\p{Cc}/u

/**
 * The folders that exports may write to: `exports` of the data folder, which relative paths start
 * from, and those of the configuration. Links are followed and `..` resolved before anything is
 * compared, as far as the path exists.
 */
export function createExportPlaces(options: {
  dataDir: string
  exportDirs: readonly string[]
  platform?: NodeJS.Platform
}): PlaceOf {
  const own = join(options.dataDir, 'exports')
  const { platform = process.platform } = options
  return async (out) => {
    if (CONTROL.test(out)) throw new InvalidInput('out must not hold control characters')
    // Elsewhere a backslash is a letter, and the path one that was meant for Windows.
    if (platform !== 'win32' && out.includes('\\')) {
      throw new InvalidInput('out must not hold backslashes')
    }
    await mkdir(own, { recursive: true, mode: 0o700 })
    const place = await realPlace(resolve(own, out))
    const folders = [own, ...options.exportDirs]
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))
    if (real.some((folder) => folder !== null && isInside(folder, place))) return place
    throw new InvalidInput(
      `out must lie inside ${folders.join(' or ')}; AUGURY_EXPORT_DIRS of the service allows more`,
    )
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The path without links; what of it does not exist yet stays as it is written. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const above = dirname(path)
    // A link whose end is missing would be followed by whoever writes to it.
    const isNothing = code === 'ENOENT' && (await lstat(path).catch(() => null)) === null
    if (!isNothing || above === path) {
      throw new InvalidInput(`out cannot be written (${code || String(error)})`)
    }
    return join(await realPlace(above), basename(path))
  }
}
