/**
 * Where the process of the backend begins. Reading and compiling its modules is half of a start, so
 * that what was compiled is kept; hence the import that comes after.
 */
import { constants, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { PACKAGE_ROOT } from './lib/package-root.ts'

const COMPILED = join(PACKAGE_ROOT, 'node_modules', '.cache', 'augury')
// Where the folder cannot be written, as in an installed app, the start takes longer and nothing else.
const { status } = enableCompileCache(COMPILED)
// For the processes that it starts: the probe of the history, the demo.
if (status === constants.compileCacheStatus.ENABLED) process.env['NODE_COMPILE_CACHE'] = COMPILED
await import('./service-process.ts')
