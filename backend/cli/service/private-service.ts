import { spawn, type ChildProcess } from 'node:child_process'
import { delimiter } from 'node:path'
import { createInterface } from 'node:readline'
import { readLaunch, type Launch } from '../../lib/files/launch-file.ts'
import { createClient, type Client } from '../client.ts'
import type { Call, CliEnvironment } from '../command.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { BACKEND } from './serve.ts'

/** A service of a data folder, and the function that releases it. */
export interface ServiceLease {
  readonly url: string
  readonly secret: string
  release(): Promise<void>
}

/**
 * Returns the running service of a data folder, or starts a private one on a free port that
 * collects nothing and ends when it is released.
 * @throws CliFailure when the folder is held by a process that does not answer, or cannot be used
 */
export async function acquireService(
  dataDir: string,
  system: CliEnvironment,
  reportProgress: (line: string) => void,
): Promise<ServiceLease> {
  const runningLaunch = await runningService(dataDir)
  if (runningLaunch !== null) {
    return { url: runningLaunch.url, secret: runningLaunch.secret, release: async () => {} }
  }
  reportProgress('No service runs on this data folder; starting a private one.')
  // It lives for one command, so it computes no context.
  const roles = ['--source', 'none', '--roles', 'api,worker']
  const args = [...roles, '--port', '0', '--data', dataDir, '--log-level', 'error']
  const child = spawn(process.execPath, [BACKEND, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...system.env, AUGURY_EXPORT_DIRS: exportDirsOf(system) },
  })
  const { url, secret } = await waitUntilReady(child, dataDir)
  return { url, secret, release: () => stop(child) }
}

/**
 * The working folder besides those that were named; a folder whose name cannot be an entry of such
 * a list is left out.
 */
const exportDirsOf = ({ env, cwd }: CliEnvironment): string =>
  [env['AUGURY_EXPORT_DIRS'] ?? '', cwd]
    .filter((folder) => folder !== '' && (folder !== cwd || !cwd.includes(delimiter)))
    .join(delimiter)

/** The service that answers for a data folder; null when none does. */
export async function runningService(dataDir: string): Promise<Launch | null> {
  const launch = readLaunch(dataDir)
  return launch !== null && (await isResponding(launch.url)) ? launch : null
}

async function isResponding(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(3_000) })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

/** Resolves with the service's address once it has printed its ready line. */
function waitUntilReady(child: ChildProcess, dataDir: string): Promise<Launch> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null)
    throw new Error('The private service printed no ready line')
  let errorLines = ''
  stderr.on('data', (chunk: Buffer) => {
    errorLines = (errorLines + chunk.toString()).slice(-4_000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      const lastLine = errorLines.trim().split('\n').at(-1) ?? ''
      const message = lastLine.replace(/^augury: /, '') || 'The private service could not start'
      const exit: ExitCode = code === EXIT.folderHeld || code === EXIT.usage ? code : EXIT.failed
      reject(new CliFailure(exit, 'NO_PRIVATE_SERVICE', message))
    })
    createInterface({ input: stdout }).once('line', () => {
      const launch = readLaunch(dataDir)
      if (launch !== null && launch.pid === child.pid) return resolve(launch)
      child.kill('SIGTERM')
      reject(new Error('The private service wrote no launch file'))
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/**
 * Runs work with a client that acts as the owner of the data folder's service, starting a private
 * service for the duration of the work when none runs.
 */
export async function withService<T>(
  { settings, system }: Call,
  reportProgress: (line: string) => void,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const service = await acquireService(settings.dataDir, system, reportProgress)
  try {
    const client = createClient({
      apiUrl: service.url,
      authorization: `Launch ${service.secret}`,
      timeoutMs: settings.timeoutMs,
      clock: system.clock,
      // An interruption is passed on to the service before it ends the command.
      signal: new AbortController().signal,
      waitsForRateLimit: true,
    })
    return await work(client)
  } finally {
    await service.release()
  }
}
