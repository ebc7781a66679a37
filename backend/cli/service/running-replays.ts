import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readLaunch, type Launch } from '../../lib/files/launch-file.ts'

/** Running replays of a data folder, by their launch files. */
export function replaysOf(dataDir: string): readonly Launch[] {
  const folder = join(dataDir, 'replay')
  try {
    return readdirSync(folder).flatMap((name) => readLaunch(join(folder, name)) ?? [])
  } catch {
    return []
  }
}

/** The running service of a data folder, else its only replay; null when neither runs. */
export function serviceOf(dataDir: string): Launch | null {
  const [match = null, ...others] = replaysOf(dataDir)
  return readLaunch(dataDir) ?? (others.length === 0 ? match : null)
}
