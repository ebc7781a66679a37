import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))

/** The real service as a process of its own, in a folder that goes with it. */
export interface RunningService {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** A new key for the data service, made as its owner. */
  dataKey(): Promise<string>
  /** What its owner may ask, with the secret of its start. */
  asOwner(path: string, request?: { method?: string; body?: object }): Promise<Response>
  /** Ends it and removes its folder; returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts `backend/main.ts` on a free port and resolves when it is ready.
 * @param flags beside port, folder and log level
 * @param places a folder in place of a new one, and the file that its log goes to
 */
export async function startService(
  flags: readonly string[],
  places: { readonly dataDir?: string; readonly log?: number } = {},
): Promise<RunningService> {
  const dataDir = places.dataDir ?? mkdtempSync(join(tmpdir(), 'augury-torture-'))
  const child = spawn(
    process.execPath,
    [ENTRY, ...flags, '--port', '0', '--data', dataDir, '--log-level', 'error'],
    // Nothing else of our environment is the service's business.
    { stdio: ['ignore', 'pipe', places.log ?? 'inherit'], env: { AUGURY_FAIR_USE: 'off' } },
  )
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
    asOwner,
    async dataKey() {
      const answer = await asOwner('/api/data-keys', { method: 'POST' })
      if (answer.status !== 201) throw new Error(`no data key: ${answer.status}`)
      return ((await answer.json()) as { key: string }).key
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      rmSync(dataDir, { recursive: true, force: true })
      return code
    },
  }
}

async function readyUrlOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    return (JSON.parse(line) as { url: string }).url
  }
  throw new Error('the service ended before it was ready')
}
