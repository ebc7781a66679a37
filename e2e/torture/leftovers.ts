import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../backend/lib/clock.ts'

/** A service has five seconds to stop. */
const PATIENCE = 8_000

/** Running processes, and how each is asked to stop. */
const processes = new Map<ChildProcess, () => void>()
const undoings: (() => void)[] = []
let isOver = false

/** An interrupted campaign continues for a moment, and must not start anything. */
function refuseWhenOver(): void {
  if (isOver) throw new Error('the campaign is over')
}

/**
 * Ends a process with the campaign, however the campaign ends.
 * @param end how it is asked to stop; by SIGTERM by default
 */
export function endWithUs(
  child: ChildProcess,
  end: () => void = () => child.kill('SIGTERM'),
): void {
  if (isOver) child.kill('SIGKILL')
  refuseWhenOver()
  processes.set(child, end)
  child.once('exit', () => processes.delete(child))
}

/** Runs a cleanup when the campaign has ended, however it ended; it may have run before. */
export function undoAtEnd(undo: () => void): void {
  undoings.push(undo)
}

/** A new folder `augury-<what>-…` for temporary files, removed when the campaign has ended. */
export function scratchFolder(what: string): string {
  refuseWhenOver()
  const folder = mkdtempSync(join(tmpdir(), `augury-${what}-`))
  undoAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Stops the running processes, gracefully first, and then removes folders and disks, the last one
 * first.
 */
export async function clearUp(): Promise<void> {
  isOver = true
  const patience = new AbortController()
  const tooLong = systemClock.sleep(PATIENCE, patience.signal).catch(() => {})
  const exited = [...processes.keys()].map(endOf)
  for (const end of processes.values()) end()
  await Promise.race([Promise.all(exited), tooLong])
  for (const child of processes.keys()) child.kill('SIGKILL')
  await Promise.all(exited)
  patience.abort()
  for (const undo of undoings.splice(0).reverse()) undo()
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('exit', () => resolve()))
