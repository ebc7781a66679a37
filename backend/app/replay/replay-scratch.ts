import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Folder for the temporary files of running replays of a data folder. */
export const replaysIn = (dataDir: string): string => join(dataDir, 'replay')

/**
 * Creates an empty folder for the replay of this process and removes folders left by replays that
 * are gone.
 */
export function makeScratch(dataDir: string, pid: number): string {
  const folder = replaysIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name)) || Number(name) === pid) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
  const scratch = join(folder, String(pid))
  mkdirSync(join(scratch, 'run'), { recursive: true, mode: 0o700 })
  return scratch
}

export const removeScratch = (scratch: string): void =>
  existsSync(scratch) ? rmSync(scratch, { recursive: true, force: true }) : undefined

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user exists too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
