import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../app/config.ts'
import type { Millis } from '../domain/units.ts'
import { bind } from '../http/server.ts'
import { systemClock } from '../lib/clock.ts'
import { silentLogger } from '../lib/logger.ts'
import type { ReplayOptions } from '../app/replay/replay-options.ts'
import {
  openReplayHistory,
  spanOf,
  startReplay,
  type ReplayService,
} from '../app/replay/replay-service.ts'
import { startDemoService } from './demo-service.ts'

/** The data folder of a small demo, and the instant at which it stopped. */
export interface RecordedFolder {
  readonly dataDir: string
  readonly endedAt: number
  remove(): void
}

/** Runs a small demo for some seconds, so that its folder has backfilled and streamed rows. */
export async function recordFolder(options: {
  seed: number
  markets: number
  start: string
  /** Duration of live collection after the start. */
  livedMs: number
}): Promise<RecordedFolder> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-recorded-'))
  const demo = await startDemoService({ ...options, dataDir })
  await demo.advance(options.livedMs)
  const endedAt = demo.clock.now()
  await demo.stop()
  return { dataDir, endedAt, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** A replay service over real HTTP. */
export interface RunningReplay {
  readonly replay: ReplayService
  readonly url: string
  readonly secret: string
  /** Folder in which its reports are kept at the end. */
  readonly reportsIn: string
  get(path: string): Promise<{ readonly status: number; readonly text: string }>
  /** As the owner of the folder. */
  post(
    verb: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>
  /** Sends requests as the owner of the folder by default. @throws Error for anything but 2xx */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    authorization?: string,
  ): Promise<T>
  stop(): Promise<void>
}

/** Starts a replay of a folder in this process, in a scratch folder of its own. */
export async function startReplayOf(
  dataDir: string,
  options: { from: number; to?: number; speed?: ReplayOptions['speed']; record?: string },
): Promise<RunningReplay> {
  const tape = await openReplayHistory(dataDir)
  const span = spanOf(tape, {
    from: options.from as Millis,
    to: (options.to ?? null) as Millis | null,
  })
  const reportsIn = mkdtempSync(join(tmpdir(), 'augury-reports-'))
  const scratch = mkdtempSync(join(tmpdir(), 'augury-replay-'))
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  const secret = 'launch-secret_of-the-replay'
  const replay = await startReplay({
    config: readConfig(['--data', dataDir], {}),
    tape,
    span,
    speed: options.speed ?? 'step',
    scratch,
    reportsFolder: reportsIn,
    bound,
    launchSecret: secret,
    wallClock: systemClock,
    random: () => 0.5,
    log: silentLogger,
    // It takes as long as the rest of a test together.
    loadsHistory: false,
    ...(options.record !== undefined && { record: options.record }),
  })
  return {
    replay,
    secret,
    reportsIn,
    url: bound.url,
    async get(path) {
      const response = await fetch(`${bound.url}${path}`)
      return { status: response.status, text: await response.text() }
    },
    async post(verb, body) {
      const response = await fetch(`${bound.url}/api/replay/${verb}`, {
        method: 'POST',
        headers: { authorization: `Launch ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      })
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
      }
    },
    async ask<T>(method: string, path: string, body?: object, authorization = `Launch ${secret}`) {
      const response = await fetch(`${bound.url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as T
    },
    async stop() {
      await bound.close(0)
      await replay.stop()
      tape.close()
      rmSync(reportsIn, { recursive: true, force: true })
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
