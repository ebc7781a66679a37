import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Applies the pending restore of a folder, and kills itself before the rename or removal with the
 * given number: `node take-restore-until-killed.ts DATA 1` completes one.
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
const { consumePendingRestore } = await import('../history/recovery/pending-restore.ts')
consumePendingRestore(dataDir)
