import { mkdirSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../lib/package-root.ts'

/**
 * Reading and compiling the engine's modules is most of the start of a strategy's process where they lie as
 * TypeScript, so that what was compiled is kept: in a folder of its own, since these processes may write there
 * until they have given that right up, which they do before they read a strategy.
 */
const COMPILED = join(PACKAGE_ROOT, 'node_modules', '.cache', 'augury-strategies')

/** How a process is started that keeps what it compiles; nothing where it cannot, or need not. */
export interface KeptModules {
  readonly env: Readonly<Record<string, string>>
  readonly execArgv: readonly string[]
}
const NOTHING: KeptModules = { env: {}, execArgv: [] }
let found: KeptModules | null = null

/** @param script that the process begins with */
export function keptModules(script: string): KeptModules {
  if (!script.endsWith('.ts') || !canGiveUp(process.versions.node)) return NOTHING
  return (found ??= made())
}

function made(): KeptModules {
  try {
    mkdirSync(COMPILED, { recursive: true })
  } catch {
    // As in an installed app: the start takes longer and nothing else.
    return NOTHING
  }
  const execArgv = [`--allow-fs-read=${COMPILED}/`, `--allow-fs-write=${COMPILED}/`]
  return { env: { NODE_COMPILE_CACHE: COMPILED }, execArgv }
}

/** Whether a process of this version of Node can give a right up. */
export function canGiveUp(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 24 && minor >= 21) || major >= 26
}

interface Rights {
  has(scope: string, reference?: string): boolean
  drop?(scope: string): void
}

/** Keeps what was compiled by now; from then on this process writes nothing. Throws where it still could. */
export function giveUpWriting(): void {
  const { permission } = process as unknown as { readonly permission?: Rights }
  if (permission?.has('fs.write', join(COMPILED, 'any')) !== true) return
  flushCompileCache()
  permission.drop?.('fs.write')
  if (permission.has('fs.write', join(COMPILED, 'any'))) {
    throw new Error('A strategy’s process could not give up its right to write')
  }
}
