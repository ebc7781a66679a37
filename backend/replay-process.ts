/**
 * Entry point of a replay: the whole service on a virtual clock over the history of a data folder,
 * on a port of its own. Its flags: `augury replay --help`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigProblem, readConfig } from './app/config.ts'
import { bind } from './http/server.ts'
import { readRecording, type Recording } from './jobs/replay/recording.ts'
import { isoOf, systemClock } from './lib/clock.ts'
import { endProcess } from './lib/process/end-process.ts'
import { InvalidInput, StoreFailed } from './lib/errors.ts'
import { newId } from './lib/ids.ts'
import { newLaunchSecret, writeLaunch } from './lib/files/launch-file.ts'
import { createLogger } from './lib/logger.ts'
import { VERSION } from './lib/files/package-root.ts'
import { systemRandom } from './lib/random.ts'
import { DataFolderProblem, ListenFailed } from './lib/process/start-problems.ts'
import { whenStopRequested } from './lib/process/shutdown-signal.ts'
import { readReplayOptions } from './app/replay/replay-options.ts'
import { makeScratch, removeScratch } from './app/replay/replay-scratch.ts'
import {
  openReplayHistory,
  spanOf,
  startReplay,
  type ReplayService,
} from './app/replay/replay-service.ts'

const EXIT = { failed: 1, badInput: 2, folderHeld: 3 } as const
/** Folder for reports that outlive their replay, inside the data folder. */
const REPORTS = 'replay-reports'
/** A stop interrupts long reads after this time. */
const INTERRUPT_AFTER_MS = 2_500
/** A process that has not stopped within this time is killed. */
const STOP_WITHIN_MS = 5_000

try {
  await replay(process.argv.slice(2))
} catch (error) {
  if (error instanceof ConfigProblem || error instanceof InvalidInput) {
    fail(error.message, EXIT.badInput)
  }
  if (error instanceof DataFolderProblem) {
    fail(error.message, error.heldByOther ? EXIT.folderHeld : EXIT.badInput)
  }
  if (error instanceof ListenFailed || error instanceof StoreFailed) {
    fail(error.message, EXIT.failed)
  }
  throw error
}

function fail(message: string, code: number): never {
  process.stderr.write(`augury: ${message}\n`)
  process.exit(code)
}

/** @throws InvalidInput for a file that is not a recording */
function recordingIn(path: string): Recording {
  try {
    return readRecording(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new InvalidInput(`The recording ${path} cannot be read (${code})`)
  }
}

async function replay(argv: readonly string[]): Promise<void> {
  process.umask(0o077)
  const { options, rest } = readReplayOptions(argv)
  const recording = options.again === null ? null : recordingIn(options.again)
  const config = readConfig(rest, process.env)
  const log = createLogger(config.logLevel)
  const tape = await openReplayHistory(config.dataDir)
  const span = spanOf(tape, recording ?? options)
  const bound = await bind({ host: config.host, port: config.port })
  const scratch = makeScratch(config.dataDir, process.pid)
  let running: ReplayService | null = null
  const stop = whenStopRequested(() => {
    setTimeout(() => running?.service.interruptReads(), INTERRUPT_AFTER_MS).unref()
    const late = `the replay did not stop within ${STOP_WITHIN_MS / 1_000} s and is killed (SIGKILL)`
    setTimeout(() => endProcess(late), STOP_WITHIN_MS).unref()
    running?.service.cancelWork()
    bound
      .close()
      .then(() => running?.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the replay did not stop cleanly')
          endProcess('the replay did not stop cleanly and is killed (SIGKILL)')
        },
      )
  })
  process.once('exit', () => removeScratch(scratch))
  const secret = newLaunchSecret()
  const reportsFolder = join(config.dataDir, REPORTS, newId('rp', systemClock.now()))
  running = await startReplay({
    config,
    tape,
    span,
    speed: options.speed,
    scratch,
    reportsFolder,
    bound,
    log,
    ...(options.record !== null && { record: options.record }),
    launchSecret: secret,
    wallClock: systemClock,
    random: systemRandom,
  })
  const url = running.service.urls.baseUrl
  const startedAt = isoOf(systemClock.now())
  writeLaunch(scratch, { url, pid: process.pid, startedAt, secret })
  const ready = {
    ready: true,
    url,
    source: 'replay',
    dataDir: join(scratch),
    version: VERSION,
    replay: {
      from: isoOf(span.from),
      to: isoOf(span.to),
      speed: options.speed,
      reportsIn: reportsFolder,
    },
  }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  if (recording === null) return
  await running.playRecording(recording)
  stop()
}
