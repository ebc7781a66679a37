import { mkdirSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../lib/files/package-root.ts'

/**
 * Reading and compiling the engine's TypeScript modules takes most of the start of a strategy's
 * process, so the compiled code is cached. It has a folder of its own, because these processes may
 * write there until they drop that permission, which they do before they read a strategy.
 */
const COMPILE_CACHE_FOLDER = join(PACKAGE_ROOT, 'node_modules', '.cache', 'augury-strategies')

/** Process options that enable the cache; empty where the cache is impossible or unnecessary. */
export interface CompileCacheOptions {
  readonly env: Readonly<Record<string, string>>
  readonly execArgv: readonly string[]
}
const NO_CACHE: CompileCacheOptions = { env: {}, execArgv: [] }
let cacheOptions: CompileCacheOptions | null = null

/** @param script entry point of the process */
export function compileCacheOptions(script: string): CompileCacheOptions {
  if (!script.endsWith('.ts') || !canDropPermission(process.versions.node)) return NO_CACHE
  return (cacheOptions ??= newOptions())
}

function newOptions(): CompileCacheOptions {
  try {
    mkdirSync(COMPILE_CACHE_FOLDER, { recursive: true })
  } catch {
    // As in an installed app: only the start takes longer.
    return NO_CACHE
  }
  const execArgv = [
    `--allow-fs-read=${COMPILE_CACHE_FOLDER}/`,
    `--allow-fs-write=${COMPILE_CACHE_FOLDER}/`,
  ]
  return { env: { NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER }, execArgv }
}

/** Whether a process of this Node version can drop a permission. */
export function canDropPermission(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 24 && minor >= 21) || major >= 26
}

interface Rights {
  has(scope: string, reference?: string): boolean
  drop?(scope: string): void
}

/**
 * Flushes the compile cache and drops the write permission. @throws when the process could still
 * write
 */
export function dropWritePermission(): void {
  const { permission } = process as unknown as { readonly permission?: Rights }
  if (permission?.has('fs.write', join(COMPILE_CACHE_FOLDER, 'any')) !== true) return
  flushCompileCache()
  permission.drop?.('fs.write')
  if (permission.has('fs.write', join(COMPILE_CACHE_FOLDER, 'any'))) {
    throw new Error('A strategy’s process could not drop its write permission')
  }
}
