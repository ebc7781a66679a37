import { pathToFileURL } from 'node:url'

/**
 * First script of the utility process: the backend starts child processes with its own program,
 * which inside Electron acts as Node only when told to. The variable cannot be set from outside,
 * where it would keep this very process from being a utility process.
 */
process.env['ELECTRON_RUN_AS_NODE'] = '1'
const [backend = ''] = process.argv.splice(2, 1)
await import(pathToFileURL(backend).href)
