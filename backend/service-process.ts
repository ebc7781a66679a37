import { flushCompileCache } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { ConfigProblem, readConfig, usage, type Config } from './config.ts'
import type { Service } from './compose.ts'
import { wasLeftOpen } from './history/recovery/clean-stop.ts'
import { startProbe } from './history/recovery/probe-host.ts'
import type { Bound } from './http/server.ts'
import { isoOf, systemClock } from './lib/clock.ts'
import { GarbageKeeper, LOOK_EVERY, processMemory } from './lib/garbage.ts'
import { systemRandom } from './lib/random.ts'
import { newLaunchSecret, removeLaunch, writeLaunch } from './lib/launch-file.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { VERSION } from './lib/package-root.ts'
import { DataFolderProblem, ListenFailed } from './lib/start-problems.ts'
import { whenStopAsked } from './lib/stop-asked.ts'

/** Exit codes: 2 a flag that cannot be used, 3 a data folder in use, 1 anything else. */
const EXIT = { failed: 1, badInput: 2, folderHeld: 3 } as const
/** Everything is flushed and closed within this time of a signal, or we end without. */
const STOP_WITHIN = 5_000

if (process.argv.includes('--help')) {
  process.stdout.write(`Usage: npm run serve -- [flags]\n\n${usage()}\n`)
  process.exit(0)
}

let config: Config
try {
  config = readConfig(process.argv.slice(2), process.env)
} catch (error) {
  if (!(error instanceof ConfigProblem)) throw error
  fail(error.message, EXIT.badInput)
}
const log = createLogger(config.logLevel)
try {
  await serve(config, log)
} catch (error) {
  if (error instanceof DataFolderProblem) {
    fail(error.message, error.heldByOther ? EXIT.folderHeld : EXIT.badInput)
  }
  if (error instanceof ListenFailed) {
    fail(`${error.message}. Choose another with --port N; 0 takes any free one.`, EXIT.failed)
  }
  log.error({ err: error }, 'the service could not start')
  process.exit(EXIT.failed)
}

function fail(message: string, code: number): never {
  process.stderr.write(`augury: ${message}\n`)
  process.exit(code)
}

async function serve(config: Config, log: Logger): Promise<void> {
  // What is written is its owner's alone to read, in a folder that others may look into as well.
  process.umask(0o077)
  // After a kill another process looks at the history first: it reads its modules while we read ours.
  const probe = wasLeftOpen(config.dataDir) ? startProbe() : undefined
  const { openStores } = await import('./stores.ts')
  const opening = openStores(config.dataDir, log, systemClock, probe)
  // Reading blocks this process: the other one has its order first.
  const reading = turn().then(() =>
    Promise.all([import('./compose.ts'), import('./http/server.ts')]),
  )
  // Told where it is waited for, below.
  reading.catch(() => {})
  const stores = await opening
  let compose: Awaited<typeof reading>[0]['compose']
  let bound: Bound
  try {
    const [composing, serving] = await reading
    compose = composing.compose
    bound = await serving.bind({ host: config.host, port: config.port })
  } catch (error) {
    await stores.close()
    throw error
  }
  const secret = newLaunchSecret()
  const service = compose({
    config,
    stores,
    boundUrl: bound.url,
    clock: systemClock,
    random: systemRandom,
    log,
  })
  service.serveOn(bound, secret)
  const url = service.urls.baseUrl
  stopWhenAsked(config, service, bound)
  const { source } = await service.start()
  const garbage = new GarbageKeeper(processMemory(), () => systemClock.monotonic())
  setInterval(() => garbage.look(), LOOK_EVERY).unref()
  const startedAt = isoOf(systemClock.now())
  writeLaunch(config.dataDir, { url, pid: process.pid, startedAt, secret })
  const ready = { ready: true, url, source, dataDir: config.dataDir, version: VERSION }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  // At its end otherwise, which a kill leaves out.
  flushCompileCache()
}

/** No more requests, everything taken is written, the stores are closed, exit 0. */
function stopWhenAsked(config: Config, service: Service, bound: Bound): void {
  whenStopAsked(() => {
    setTimeout(() => process.exit(EXIT.failed), STOP_WITHIN).unref()
    removeLaunch(config.dataDir, process.pid)
    bound
      .close()
      .then(() => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the service did not stop cleanly')
          process.exit(EXIT.failed)
        },
      )
  })
}
