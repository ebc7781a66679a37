import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Clock } from '../lib/clock.ts'
import { CliFailure, EXIT } from './failure.ts'

/** Clock and signal of an interruptible wait. */
export interface WaitOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
}

const CHECK_INTERVAL_MS = 20
const LOCK_TIMEOUT_MS = 5_000

/**
 * Runs `work` while no other process does so under the same lock, a file with the holder's process
 * id. The lock of a process that has ended is taken over.
 * @param work short: others wait for it
 * @throws CliFailure when another process holds the lock for five seconds; any error of creating
 * the file
 */
export async function withFileLock<T>(
  lock: string,
  { clock, signal }: WaitOptions,
  work: () => T,
): Promise<T> {
  const waitsSince = clock.monotonic()
  while (!tryCreate(lock) && !replaceStaleLock(lock)) {
    if (clock.monotonic() - waitsSince >= LOCK_TIMEOUT_MS) throw lockedFailure(lock)
    await clock.sleep(CHECK_INTERVAL_MS, signal)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Creates the file; returns false when it already exists. */
function tryCreate(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/**
 * Takes over a lock whose holder has ended. Only the holder of the second file checks and takes
 * it, so that two processes that see the same dead holder cannot take each other's lock.
 */
function replaceStaleLock(lock: string): boolean {
  const second = `${lock}.dead`
  if (hasLivingHolder(lock) || !tryCreate(second)) return false
  try {
    if (hasLivingHolder(lock)) return false
    writeFileSync(lock, String(process.pid))
    return true
  } finally {
    rmSync(second, { force: true })
  }
}

/** A lock that was just released, or whose holder is not written yet, counts as held: try again. */
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
    // A process of another user may not be signalled, but it exists.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const lockedFailure = (lock: string): CliFailure =>
  new CliFailure(EXIT.failed, 'LOCKED', `another augury is writing (${lock} exists)`, {
    advice: 'Try again; if no other augury is running, remove that file.',
  })
