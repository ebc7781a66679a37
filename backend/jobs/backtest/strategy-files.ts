import { existsSync, readdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidInput } from '../../lib/errors.ts'

const IS_SOURCE = import.meta.url.endsWith('.ts')
const ENDING = IS_SOURCE ? '.ts' : '.js'
// In the build all other files of the backend lie in one folder.
const BUILT_IN_FOLDER = new URL(IS_SOURCE ? '../../strategies/' : './strategies/', import.meta.url)
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/
const OWN_ENDINGS = ['.ts', '.js', '.mjs']

/** Finds strategies: the bundled ones and files in the data folder's `strategies`. */
export interface StrategyFiles {
  /** Names without file extensions. */
  list(): readonly string[]
  /**
   * URL of a strategy’s module. @param mayNamePath whether paths outside the folder are allowed,
   * as for the owner of the machine. @throws InvalidInput
   */
  moduleUrl(name: string, mayNamePath: boolean): string
}

export function createStrategyFiles(dataDir: string): StrategyFiles {
  const folder = join(dataDir, 'strategies')
  const strategyFile = (name: string): string | null =>
    OWN_ENDINGS.map((extension) => join(folder, `${name}${extension}`)).find(existsSync) ?? null
  const shippedFile = (name: string): URL => new URL(`${name}${ENDING}`, BUILT_IN_FOLDER)
  return {
    list() {
      const names = (files: readonly string[]): string[] =>
        files
          .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
          .flatMap((file) => /^(.+)\.(?:ts|js|mjs)$/.exec(file)?.[1] ?? [])
          .filter((name) => NAME.test(name))
      const moduleNames = existsSync(folder) ? names(readdirSync(folder)) : []
      return [...new Set([...names(readdirSync(BUILT_IN_FOLDER)), ...moduleNames])].sort()
    },
    moduleUrl(name, mayNamePath) {
      if (NAME.test(name)) {
        const existingFile = strategyFile(name)
        if (existingFile !== null) return pathToFileURL(existingFile).href
        if (existsSync(shippedFile(name))) return shippedFile(name).href
        const moduleNames = this.list().join(', ')
        throw new InvalidInput(`strategy not found: ${name}. Available: ${moduleNames}`)
      }
      if (!isAbsolute(name)) {
        throw new InvalidInput(
          `strategy not found: ${name}. Name one of the data folder’s strategies, or give the full path of a file`,
        )
      }
      if (!mayNamePath) {
        throw new InvalidInput('strategy not found: only administrators may name a path')
      }
      if (!OWN_ENDINGS.some((extension) => name.endsWith(extension)) || !existsSync(name)) {
        throw new InvalidInput(`strategy not found: ${name} is not a .ts, .js or .mjs file`)
      }
      return pathToFileURL(name).href
    },
  }
}
