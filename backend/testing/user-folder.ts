import { existsSync } from 'node:fs'
import { defaultDataDir } from '../lib/files/data-folder.ts'

/**
 * Global setup of the tests: they must not create the data folder of the user who runs them. A
 * service that starts there afterwards would find keys without a history and report it as lost.
 * @returns the teardown. @throws Error when a test created it
 */
export default function watchUserFolder(): () => void {
  const folder = defaultDataDir({}, process.platform)
  const existed = existsSync(folder)
  return () => {
    if (!existed && existsSync(folder)) throw new Error(`a test created the data folder ${folder}`)
  }
}
