import { flushCompileCache } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { ConfigProblem, readConfig, usage, type Config } from './app/config.ts'
import type { Service } from './app/service.ts'
import { wasLeftOpen } from './history/recovery/clean-stop.ts'
import { startProbe } from './history/recovery/probe-host.ts'
import type { BoundAddress } from './http/server.ts'
import { isoOf, systemClock } from './lib/clock.ts'
import { endProcess } from './lib/process/end-process.ts'
import { GarbageCollectionTrigger, CHECK_INTERVAL, processMemory } from './lib/process/garbage.ts'
import { systemRandom } from './lib/random.ts'
import { InstallationKeyProblem, openInstallationKey } from './lib/files/installation-key.ts'
import { systemKeychain } from './lib/files/keychain.ts'
import { newLaunchSecret, removeLaunch, writeLaunch } from './lib/files/launch-file.ts'
import { createLogger, type Logger } from './lib/logger.ts'
import { VERSION } from './lib/files/package-root.ts'
import { fullDiskOf } from './lib/files/disk-room.ts'
import { DataFolderProblem, DiskFull, ListenFailed } from './lib/process/start-problems.ts'
import { whenStopRequested } from './lib/process/shutdown-signal.ts'

/**
 * Exit codes: 2 for an unusable flag, 3 for a data folder in use, 1 for anything else, including a
 * full disk.
 */
const EXIT = { failed: 1, badInput: 2, folderHeld: 3 } as const
/** A stop interrupts long reads after this time. */
const INTERRUPT_DELAY = 2_500
/** Everything is flushed and closed within this time of a signal, or the process is killed. */
const STOP_TIMEOUT = 5_000

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
  if (error instanceof InstallationKeyProblem) fail(`${error.message}.`, EXIT.failed)
  if (error instanceof ListenFailed) {
    fail(`${error.message}. Choose another with --port N; 0 picks any free port.`, EXIT.failed)
  }
  // The stores fail with other messages when the disk fills up while they are opened.
  const fullDisk = error instanceof DiskFull ? null : fullDiskOf(config.dataDir)
  const diskFull = fullDisk === null ? error : new DiskFull(fullDisk, error)
  if (diskFull instanceof DiskFull) fail(diskFull.message, EXIT.failed)
  log.error({ err: error }, 'the service could not start')
  process.exit(EXIT.failed)
}

function fail(message: string, code: number): never {
  process.stderr.write(`augury: ${message}\n`)
  process.exit(code)
}

async function serve(config: Config, log: Logger): Promise<void> {
  // New files are readable by their owner alone, even in a folder that others can read.
  process.umask(0o077)
  const fullDisk = fullDiskOf(config.dataDir)
  if (fullDisk !== null) throw new DiskFull(fullDisk)
  // After a kill another process examines the history first; it loads its modules while this one
  // loads its own.
  const probe = wasLeftOpen(config.dataDir) ? startProbe() : undefined
  const { openStores } = await import('./app/stores.ts')
  const opening = openStores(config.dataDir, log, systemClock, probe)
  // Loading modules blocks this process: the other one gets its order first.
  const reading = turn().then(() =>
    Promise.all([import('./app/service.ts'), import('./http/server.ts')]),
  )
  // The rejection is handled below, where it is awaited.
  reading.catch(() => {})
  const stores = await opening
  let createService: Awaited<typeof reading>[0]['createService']
  let bound: BoundAddress
  let installationKey: string
  try {
    installationKey = await openInstallationKey(config.dataDir, config.keyStore, systemKeychain)
    const [composing, serving] = await reading
    createService = composing.createService
    bound = await serving.bind({ host: config.host, port: config.port })
  } catch (error) {
    await stores.close()
    throw error
  }
  const secret = newLaunchSecret()
  const service = createService({
    config,
    stores,
    boundUrl: bound.url,
    clock: systemClock,
    random: systemRandom,
    log,
    installationKey,
  })
  service.serveOn(bound, secret)
  const url = service.urls.baseUrl
  const isStopping = stopOnSignal(config, service, bound)
  let source: string
  try {
    source = (await service.start()).source
  } catch (error) {
    // A stop closes the stores that a start reads; it ends the process itself.
    if (isStopping()) return
    throw error
  }
  if (isStopping()) return
  const garbage = new GarbageCollectionTrigger(processMemory(), () => systemClock.monotonic())
  setInterval(() => garbage.collectIfDue(), CHECK_INTERVAL).unref()
  const startedAt = isoOf(systemClock.now())
  writeLaunch(config.dataDir, { url, pid: process.pid, startedAt, secret })
  const ready = { ready: true, url, source, dataDir: config.dataDir, version: VERSION }
  process.stdout.write(`${JSON.stringify(ready)}\n`)
  // Otherwise the cache is written at exit, which a kill skips.
  flushCompileCache()
}

/**
 * Stops accepting requests, writes everything accepted, closes the stores and exits with 0. A
 * process that does not stop in time kills itself (SIGKILL, which shells report as 137).
 * @returns whether the stop began
 */
function stopOnSignal(config: Config, service: Service, bound: BoundAddress): () => boolean {
  let isStopping = false
  whenStopRequested(() => {
    isStopping = true
    setTimeout(() => service.interruptReads(), INTERRUPT_DELAY).unref()
    const late = `the service did not stop within ${STOP_TIMEOUT / 1_000} s and is killed (SIGKILL)`
    setTimeout(() => endProcess(late), STOP_TIMEOUT).unref()
    service.cancelWork()
    removeLaunch(config.dataDir, process.pid)
    bound
      .close()
      .then(() => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the service did not stop cleanly')
          endProcess('the service did not stop cleanly and is killed (SIGKILL)')
        },
      )
  })
  return () => isStopping
}
