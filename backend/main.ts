/**
 * Entry point of the backend process. Reading and compiling the modules takes half of a start, so
 * the compiled code is cached; hence the dynamic import below.
 */
import { constants, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from './lib/files/package-root.ts'

const COMPILED = join(PACKAGE_ROOT, 'node_modules', '.cache', 'augury')
// Without a writable folder, as in an installed app, the start only takes longer.
const { status } = enableCompileCache(COMPILED)
// For child processes: the probe of the history, the demo.
if (status === constants.compileCacheStatus.ENABLED) process.env['NODE_COMPILE_CACHE'] = COMPILED
await import('./service-process.ts')
