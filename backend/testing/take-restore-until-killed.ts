import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Takes over the restore that waits in a folder, and is killed before the rename or removal of the
 * number given: `node take-restore-until-killed.ts DATA 1` lives for one.
 */
const [dataDir = '', steps = ''] = process.argv.slice(2)
let left = Number(steps)
const step = (): void => {
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}
const { renameSync, rmSync } = fs
fs.renameSync = (from, to) => {
  step()
  renameSync(from, to)
}
fs.rmSync = (path, options) => {
  step()
  rmSync(path, options)
}
syncBuiltinESMExports()
const { takePendingRestore } = await import('../history/recovery/pending-restore.ts')
takePendingRestore(dataDir)
