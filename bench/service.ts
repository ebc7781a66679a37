import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { SERVICE_FLAGS } from '../backend/lib/process/service-flags.ts'

const MAIN = fileURLToPath(new URL('../backend/main.ts', import.meta.url))

export interface RunningService {
  readonly url: string
  /** Milliseconds from the start of the process to its ready line. */
  readonly readyAfter: number
  /**
   * Resolves when the process has been nearly idle for some seconds; at once when /proc is not
   * available.
   */
  whenIdle(): Promise<void>
  /** Processor time so far of the service and its own processes, ms; null without /proc. */
  processorTime(): number | null
  stop(): Promise<void>
  /** Kills it at once, without a clean stop. */
  kill(): Promise<void>
}

/** Starts the backend as a process of its own on a free port; resolves at its ready line. */
export async function startService(flags: readonly string[]): Promise<RunningService> {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [...SERVICE_FLAGS, MAIN, '--port', '0', '--log-level', 'error', ...flags],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      // A bench sends more requests than one client ever would.
      env: { ...process.env, AUGURY_FAIR_USE: 'off' },
    },
  )
  // A bench that fails leaves no service behind.
  const endWithBench = (): void => void child.kill()
  process.once('exit', endWithBench)
  child.once('exit', () => process.off('exit', endWithBench))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  const { url } = JSON.parse(line) as { url: string }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url,
    readyAfter: performance.now() - started,
    whenIdle: () => untilIdle(child.pid ?? 0),
    processorTime: () => processorTimeWithChildren(child.pid ?? 0),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Share of a core, and the milliseconds that a process has to stay below it. */
const IDLE = { share: 0.1, span: 3_000 }
const IDLE_LIMIT_MS = 300_000
const TICK_MS = 10

/** Processor time of a process, in milliseconds; null when the system does not report it. */
function processorTimeOf(pid: number): number | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  // After the name in brackets, which may contain spaces: user and system time are fields 12 and
  // 13.
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function processorTimeWithChildren(pid: number): number | null {
  const own = processorTimeOf(pid)
  if (own === null) return null
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return children
    .filter((child) => child !== '')
    .reduce((sum, child) => sum + (processorTimeOf(Number(child)) ?? 0), own)
}

async function untilIdle(pid: number): Promise<void> {
  const started = performance.now()
  let before = processorTimeOf(pid)
  while (before !== null) {
    await pause(IDLE.span)
    const now = processorTimeOf(pid)
    if (now === null || now - before < IDLE.share * IDLE.span) return
    if (performance.now() - started > IDLE_LIMIT_MS)
      throw new Error('the service did not become idle')
    before = now
  }
}

const BACKFILL_LIMIT_MS = 120_000

/** Resolves when both venues' first backfill of a data folder is recorded as finished. */
export async function backfilled(folder: string): Promise<void> {
  const started = performance.now()
  for (;;) {
    const state = new DatabaseSync(join(folder, 'state.sqlite'), { readOnly: true })
    const rows = state.prepare('select backfilled_at from feed').all()
    state.close()
    if (rows.length === 2 && rows.every((row) => row['backfilled_at'] !== null)) return
    if (performance.now() - started > BACKFILL_LIMIT_MS) throw new Error('the backfill did not end')
    await pause(100)
  }
}
