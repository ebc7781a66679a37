import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InvalidInput } from '../../lib/errors.ts'
import { isWithin, outTargetOf, realPathOf } from '../../lib/files/real-path.ts'

/**
 * Resolves the real path of an export. @throws InvalidInput unless it is inside a folder for
 * exports
 */
export type TargetOf = (outPath: string) => Promise<string>

const CONTROL = /\p{Cc}/u

/**
 * The folders that exports may write to: `exports` of the data folder, against which relative
 * paths are resolved, and configured folders. Links are followed and `..` is resolved before the
 * comparison, as far as the path exists. No other part of the data folder can be written, even if
 * a configured folder contains it.
 */
export function createExportTargets(options: {
  dataDir: string
  exportDirs: readonly string[]
  platform?: NodeJS.Platform
}): TargetOf {
  const exportsDir = join(options.dataDir, 'exports')
  const { platform = process.platform } = options
  return async (outPath) => {
    if (CONTROL.test(outPath)) throw new InvalidInput('out must not contain control characters')
    // Elsewhere a backslash is an ordinary character, so such a path was meant for Windows.
    if (platform !== 'win32' && outPath.includes('\\')) {
      throw new InvalidInput('out must not contain backslashes')
    }
    await mkdir(exportsDir, { recursive: true, mode: 0o700 })
    const target = outTargetOf(resolve(exportsDir, outPath))
    const folders = [exportsDir, ...options.exportDirs]
    const isAllowed = folders.some((folder) => {
      const real = realOrNull(folder)
      return real !== null && isWithin(real, target)
    })
    const data = outTargetOf(options.dataDir)
    const isReserved = isWithin(data, target) && !isWithin(join(data, 'exports'), target)
    if (isAllowed && !isReserved) return target
    throw new InvalidInput(
      `out must be inside ${folders.join(' or ')}; AUGURY_EXPORT_DIRS of the service allows more`,
    )
  }
}

function realOrNull(folder: string): string | null {
  try {
    return realPathOf(folder)
  } catch {
    return null
  }
}
