import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService } from '../app/service.ts'
import { readConfig } from '../app/config.ts'
import { bind } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { openStores, type Stores } from '../app/stores.ts'
import type { VenueEvent } from '../venues/connector.ts'
import type { OpenAccountHistory } from '../venues/trading.ts'
import { FakeClock } from './fake-clock.ts'

const SECRET = 'launch-secret_of-these-tests'
const BASE = 'http://augury.test'

/** The whole service over a data folder of its own, behind real HTTP, without collectors. */
export interface ArchiveService {
  readonly dataDir: string
  /** Its address, and the owner's credentials. */
  readonly url: string
  readonly authorization: string
  readonly history: Stores['history']
  readonly clock: FakeClock
  /**
   * Ingests events as if a venue had published them, and evaluates every intent that they affect.
   */
  accept(events: readonly VenueEvent[]): Promise<void>
  /** Restarts the service over the same folder. */
  restart(): Promise<void>
  /**
   * Sends requests as the owner, public reads anonymously, unless specified otherwise; returns the
   * raw text.
   */
  ask(
    method: string,
    path: string,
    body?: object,
    authorization?: string | null,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Starts a job and returns it once it has ended. */
  run(path: string, body: object): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

/** @param fill puts rows into the history before the service starts */
export async function startArchiveService(options: {
  start: string
  exportDirs?: readonly string[]
  /** Variables of its environment. */
  env?: Readonly<Record<string, string>>
  fill?: (history: Stores['history'], dataDir: string) => Promise<unknown>
  /** Accounts of an exchange, as with live data. */
  accountHistory?: OpenAccountHistory
}): Promise<ArchiveService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-archive-'))
  const clock = new FakeClock(options.start)
  const start = async (fill?: typeof options.fill) => {
    const stores = await openStores(dataDir, silentLogger, clock)
    await fill?.(stores.history, dataDir)
    const bound = await bind({ host: '127.0.0.1', port: 0 })
    const args = ['--source', 'none', '--data', dataDir, '--base-url', BASE]
    const service = createService({
      config: readConfig(args, {
        AUGURY_FAIR_USE: 'off',
        AUGURY_EXPORT_DIRS: (options.exportDirs ?? []).join(':'),
        ...options.env,
      }),
      stores,
      boundUrl: bound.url,
      clock,
      random: () => 0.5,
      log: silentLogger,
      ...(options.accountHistory !== undefined && { accountHistory: options.accountHistory }),
    })
    service.serveOn(bound, SECRET)
    await service.start()
    await service.data.derived
    return { stores, bound, service }
  }
  let running = await start(options.fill)
  const stopService = async (): Promise<void> => {
    await running.bound.close(0)
    await running.service.stop()
  }
  const ask: ArchiveService['ask'] = async (
    method,
    path,
    body,
    authorization = path.startsWith('/api/public/') ? null : `Launch ${SECRET}`,
  ) => {
    const response = await fetch(running.bound.url + path, {
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
    dataDir,
    history: running.stores.history,
    clock,
    ask,
    get url() {
      return running.bound.url
    },
    authorization: `Launch ${SECRET}`,
    async accept(events) {
      await running.service.data.accept(events)
      await running.service.intentsSettled()
    },
    async restart() {
      await stopService()
      running = await start()
      await running.service.intentsSettled()
    },
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
      await stopService()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
