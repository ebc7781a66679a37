import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../compose.ts'
import { readConfig } from '../config.ts'
import { bind } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { openStores, type Stores } from '../stores.ts'
import { FakeClock } from './fake-clock.ts'

const SECRET = 'launch-secret_of-these-tests'
const BASE = 'http://augury.test'

/** The whole service over a data folder of its own, behind real HTTP, collecting nothing. */
export interface ArchiveService {
  readonly dataDir: string
  readonly history: Stores['history']
  readonly clock: FakeClock
  /** Asks as the owner, public reads as nobody, unless told otherwise; answers with the text as sent. */
  ask(
    method: string,
    path: string,
    body?: object,
    authorization?: string | null,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Starts a job and answers with it once it has ended. */
  run(path: string, body: object): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** @param fill puts rows into the history before the service starts */
export async function startArchiveService(options: {
  start: string
  exportDirs?: readonly string[]
  fill?: (history: Stores['history'], dataDir: string) => Promise<unknown>
}): Promise<ArchiveService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-archive-'))
  const clock = new FakeClock(options.start)
  const stores = await openStores(dataDir, silentLogger, clock)
  await options.fill?.(stores.history, dataDir)
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  const args = ['--source', 'none', '--data', dataDir, '--base-url', BASE]
  const service = compose({
    config: readConfig(args, {
      AUGURY_FAIR_USE: 'off',
      AUGURY_EXPORT_DIRS: (options.exportDirs ?? []).join(':'),
    }),
    ...{ stores, boundUrl: bound.url, clock, random: () => 0.5, log: silentLogger },
  })
  service.serveOn(bound, SECRET)
  await service.start()
  await service.data.derived
  const ask: ArchiveService['ask'] = async (
    method,
    path,
    body,
    authorization = path.startsWith('/api/public/') ? null : `Launch ${SECRET}`,
  ) => {
    const response = await fetch(bound.url + path, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    ...{ dataDir, history: stores.history, clock, ask },
    async run(path, body) {
      const started = await ask('POST', path, body)
      if (started.status !== 202) throw new Error(`${started.status} ${started.text}`)
      const { id } = JSON.parse(started.text) as { id: string }
      for (;;) {
        const { text } = await ask('GET', `${path}/${id}`)
        const job = JSON.parse(text) as Record<string, unknown>
        if (job['state'] !== 'queued' && job['state'] !== 'running') return job
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async stop() {
      await bound.close(0)
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
