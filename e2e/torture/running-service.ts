import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { lineOf } from './event-loop/loop-watch.ts'
import { endWithUs, scratchFolder } from './leftovers.ts'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))

/** The real service as a process of its own. */
export interface RunningService {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** Descriptor 3 of the process, where a module that it loaded first speaks. */
  readonly line: Duplex | null
  /** A new key for the data service, made as its owner. */
  dataKey(): Promise<string>
  /** What its owner may ask, with the secret of its start. */
  asOwner(path: string, request?: { method?: string; body?: object }): Promise<Response>
  /** Ends it and removes the folder that was made for it; returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts `backend/main.ts` on a free port and resolves when it is ready.
 * @param flags beside port, folder and log level
 * @param places a folder in place of a new one, the file that its log goes to, and a module that the
 * process loads before its own
 */
export async function startService(
  flags: readonly string[],
  places: { readonly dataDir?: string; readonly log?: number; readonly preload?: string } = {},
): Promise<RunningService> {
  const dataDir = places.dataDir ?? scratchFolder('torture')
  const { preload, log = 'inherit' } = places
  const first = preload === undefined ? [] : ['--import', preload]
  const child = spawn(
    process.execPath,
    [...first, ENTRY, ...flags, '--port', '0', '--data', dataDir, '--log-level', 'error'],
    {
      stdio: ['ignore', 'pipe', log, ...(preload === undefined ? [] : (['pipe'] as const))],
      // Nothing else of our environment is the service's business.
      env: { AUGURY_FAIR_USE: 'off' },
    },
  )
  endWithUs(child)
  const url = await readyUrlOf(child)
  if (child.pid === undefined) throw new Error('the service has no process')
  const asOwner: RunningService['asOwner'] = (path, { method = 'GET', body } = {}) => {
    const launch = JSON.parse(readFileSync(join(dataDir, 'run', 'launch.json'), 'utf8')) as {
      secret: string
    }
    return fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Launch ${launch.secret}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  return {
    url,
    pid: child.pid,
    dataDir,
    line: preload === undefined ? null : lineOf(child.stdio[3]),
    asOwner,
    async dataKey() {
      const answer = await asOwner('/api/data-keys', { method: 'POST' })
      if (answer.status !== 201) throw new Error(`no data key: ${answer.status}`)
      return ((await answer.json()) as { key: string }).key
    },
    async stop() {
      const code = await endOf(child)
      if (places.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
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
