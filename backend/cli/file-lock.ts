import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Clock } from '../lib/clock.ts'
import { CliFailure, EXIT } from './failure.ts'

/** How somebody waits who may be interrupted. */
export interface Patience {
  readonly clock: Clock
  readonly signal: AbortSignal
}

const LOOK_EVERY_MS = 20
const PATIENCE_MS = 5_000

/**
 * Runs `work` while no other process does so under the same lock, which is a file with the number of
 * the process that holds it. The lock of a process that has ended is taken over.
 * @param work short: others wait for it
 * @throws CliFailure when another holds the lock for five seconds; whatever making the file throws
 */
export async function withFileLock<T>(
  lock: string,
  { clock, signal }: Patience,
  work: () => T,
): Promise<T> {
  const waitsSince = clock.monotonic()
  while (!isMade(lock) && !takesOver(lock)) {
    if (clock.monotonic() - waitsSince >= PATIENCE_MS) throw held(lock)
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Whether the file was not there and is now ours. */
function isMade(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/**
 * Makes a lock ours whose holder has ended. Only who holds the second file looks and takes, so that
 * of two who see the same dead holder neither takes the other's lock.
 */
function takesOver(lock: string): boolean {
  const second = `${lock}.dead`
  if (hasLivingHolder(lock) || !isMade(second)) return false
  try {
    if (hasLivingHolder(lock)) return false
    writeFileSync(lock, String(process.pid))
    return true
  } finally {
    rmSync(second, { force: true })
  }
}

/** A lock that was just given up, or whose holder is not told yet, counts as held: look again. */
function hasLivingHolder(lock: string): boolean {
  let holder: string
  try {
    holder = readFileSync(lock, 'utf8')
  } catch {
    return true
  }
  return !/^\d+$/.test(holder) || isAlive(Number(holder))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const held = (lock: string): CliFailure =>
  new CliFailure(EXIT.failed, 'LOCKED', `another augury is writing (${lock} stands)`, {
    advice: 'Try again; if no other augury runs, remove that file.',
  })
