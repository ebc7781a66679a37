import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../backend/lib/clock.ts'

/** A service has five seconds to end by itself. */
const PATIENCE = 8_000

/** Running processes, and how each is asked to end. */
const processes = new Map<ChildProcess, () => void>()
const undoings: (() => void)[] = []
let isOver = false

/** A campaign that is interrupted goes on for a moment; nothing may begin in it. */
function refuseWhenOver(): void {
  if (isOver) throw new Error('the campaign is over')
}

/**
 * Ends a process with the campaign, however the campaign ends.
 * @param end how it is asked to end; by SIGTERM unless told
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

/** Does this when the campaign has ended, however it ended; it may have been done before. */
export function undoAtEnd(undo: () => void): void {
  undoings.push(undo)
}

/** A new folder `augury-<what>-…` for temporary files, gone when the campaign has ended. */
export function scratchFolder(what: string): string {
  refuseWhenOver()
  const folder = mkdtempSync(join(tmpdir(), `augury-${what}-`))
  undoAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Ends the processes that still run, asking first, and then takes away folders and disks, the last
 * one first.
 */
export async function clearUp(): Promise<void> {
  isOver = true
  const patience = new AbortController()
  const tooLong = systemClock.sleep(PATIENCE, patience.signal).catch(() => {})
  const gone = [...processes.keys()].map(endOf)
  for (const end of processes.values()) end()
  await Promise.race([Promise.all(gone), tooLong])
  for (const child of processes.keys()) child.kill('SIGKILL')
  await Promise.all(gone)
  patience.abort()
  for (const undo of undoings.splice(0).reverse()) undo()
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('exit', () => resolve()))
