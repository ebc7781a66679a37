/**
 * `npm run package [-- FLAGS]`: builds, then packs with electron-builder. When Electron's binary
 * is missing it prints one sentence and exits with 4, before anything is built.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import {
  electronFolder,
  electronVersion,
  isForThisSystem,
  NO_ELECTRON,
  noElectron,
} from './electron-binary.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const MODULES = join(ROOT, 'node_modules')
const args = process.argv.slice(2)

function run(script, rest) {
  const { status } = spawnSync(process.execPath, [script, ...rest], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const isNative = isForThisSystem(args)
const electron = isNative ? electronFolder(MODULES) : null
if (isNative && electron === null) {
  process.stderr.write(`${noElectron(electronVersion(MODULES))}\n`)
  process.exit(NO_ELECTRON)
}
run(join(ROOT, 'scripts', 'build.mjs'), ['client', 'main', 'preload', 'backend'])
run(join(MODULES, 'electron-builder', 'cli.js'), [
  ...args,
  ...(electron === null ? [] : [`-c.electronDist=${electron}`]),
])
