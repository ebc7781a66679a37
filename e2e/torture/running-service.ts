import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../backend/lib/clock.ts'
import { lineOf } from './event-loop/loop-watch.ts'
import { endWithUs, scratchFolder } from './leftovers.ts'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))

/** The real service as a process of its own. */
export interface RunningService {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Descriptor 3 of the process, used by a module that it loaded first. */
  readonly line: Duplex | null
  /** A new key for the data service, made as its owner. */
  dataKey(): Promise<string>
  /** The credentials of its owner: the secret of its start. */
  ownerHeaders(): Record<string, string>
  /** Requests as its owner, with the secret of its start. */
  asOwner(path: string, request?: { method?: string; body?: object }): Promise<Response>
  /** Ends it with SIGKILL; its folder stays. */
  kill(): Promise<void>
  /** Stops it and removes the folder that was created for it; returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts `backend/main.ts` on a free port and resolves when it is ready.
 * @param flags beside port, folder and log level
 * @param places a folder instead of a new one, its log file, and a module that the process loads
 *   first
 */
export async function startService(
  flags: readonly string[],
  places: {
    readonly dataDir?: string
    readonly log?: number
    readonly preload?: string
    /** Called with the process before it is ready. */
    readonly onSpawn?: (child: ChildProcess) => void
  } = {},
): Promise<RunningService> {
  const dataDir = places.dataDir ?? scratchFolder('torture')
  const { preload, log = 'inherit' } = places
  const first = preload === undefined ? [] : ['--import', preload]
  const child = spawn(
    process.execPath,
    [...first, ENTRY, ...flags, '--port', '0', '--data', dataDir, '--log-level', 'error'],
    {
      stdio: ['ignore', 'pipe', log, ...(preload === undefined ? [] : (['pipe'] as const))],
      // The service gets nothing else of our environment.
      env: { AUGURY_FAIR_USE: 'off' },
    },
  )
  endWithUs(child)
  places.onSpawn?.(child)
  const url = await readyUrlOf(child)
  if (flags.includes('demo')) await untilLoaded(url, child)
  if (child.pid === undefined) throw new Error('the service has no process')
  const ownerHeaders = (): Record<string, string> => {
    const launch = JSON.parse(readFileSync(join(dataDir, 'run', 'launch.json'), 'utf8')) as {
      secret: string
    }
    return { authorization: `Launch ${launch.secret}` }
  }
  const asOwner: RunningService['asOwner'] = (path, { method = 'GET', body } = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...ownerHeaders(), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    url,
    pid: child.pid,
    dataDir,
    line: preload === undefined ? null : lineOf(child.stdio[3]),
    ownerHeaders,
    asOwner,
    async dataKey() {
      const answer = await asOwner('/api/data-keys', { method: 'POST' })
      if (answer.status !== 201) throw new Error(`no data key: ${answer.status}`)
      return ((await answer.json()) as { key: string }).key
    },
    kill: () => killOf(child),
    async stop() {
      const code = await endOf(child)
      if (places.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
}

/**
 * Starts the service and kills it after a time; it may have been ready by then.
 * @param flags as for `startService`
 * @param after milliseconds
 */
export async function killWhileStarting(
  flags: readonly string[],
  dataDir: string,
  after: number,
): Promise<void> {
  let child: ChildProcess | null = null
  const onSpawn = (spawned: ChildProcess): void => void (child = spawned)
  const starting = startService(flags, { dataDir, onSpawn }).catch(() => null)
  await systemClock.sleep(after)
  endNow(child)
  await (await starting)?.kill()
}

const endNow = (child: ChildProcess | null): void => void child?.kill('SIGKILL')

async function killOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const POLL_MS = 100

/** Resolves when a first start has read the history; until then reads of it are answered 503. */
async function untilLoaded(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    if ((await fetch(`${url}/readyz`)).ok) return
    await pause(POLL_MS)
  }
  throw new Error('the service ended before it had read the history')
}

/** @returns the exit code of a process that ended by itself, or is asked to */
async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = (await ended) as [number | null]
  return code
}

async function readyUrlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    return (JSON.parse(line) as { url: string }).url
  }
  throw new Error('the service ended before it was ready')
}
