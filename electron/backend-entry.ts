import { pathToFileURL } from 'node:url'

/**
 * First script of the utility process. The backend starts child processes with its own program,
 * which inside Electron runs as Node only when this variable is set. It cannot be set from
 * outside, because it would keep this process from being a utility process.
 */
process.env['ELECTRON_RUN_AS_NODE'] = '1'
const [backend = ''] = process.argv.splice(2, 1)
await import(pathToFileURL(backend).href)
