import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { broken, doubtful, sound, type DoctorCheck } from '../domain/doctor-check.ts'
import type { Clock } from '../lib/clock.ts'
import type { Client } from './client.ts'
import type { Settings } from './settings.ts'

/** A clock this far off the file system's or the service's is told, ms. */
const OFF_BY = 5_000
/** 2025: no answer of ours is older. */
const EARLIEST = 1_735_689_600_000

/** The clock against the running service's, whose process may have seen it jump. */
export async function checkClock(clock: Clock, url: string | null): Promise<DoctorCheck> {
  const fix = 'Have the system set its clock from the network'
  const now = clock.now()
  if (now < EARLIEST) return broken('clock', 'it stands before 2025', fix)
  const before = clock.monotonic()
  const theirs = url === null ? null : await timeAt(url)
  const waited = clock.monotonic() - before
  const moved = clock.now() - now
  if (Math.abs(moved - waited) > OFF_BY) return doubtful('clock', 'it jumped just now', fix)
  if (theirs === null) return sound('clock', 'plausible; no service to compare it with')
  const off = Math.round(now - theirs)
  if (Math.abs(off) > OFF_BY + waited) return doubtful('clock', `${off} ms off the service’s`, fix)
  return sound('clock', 'as the service’s')
}

async function timeAt(url: string): Promise<number | null> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(3_000) })
    const { time } = (await response.json()) as { time: string }
    const at = Date.parse(time)
    return Number.isFinite(at) ? at : null
  } catch {
    return null
  }
}

/** Whether the port that commands ask is that of the service, or free for one. */
export async function checkPort(
  apiUrl: string,
  launchUrl: string | null,
  isRunning: boolean,
): Promise<DoctorCheck> {
  if (isRunning) {
    if (launchUrl === null || new URL(launchUrl).origin === new URL(apiUrl).origin) {
      return sound('port', `the service answers at ${apiUrl}`)
    }
    const fix = 'Leave out --api-url, or name the data folder of that service'
    return doubtful('port', `commands ask ${apiUrl}, the service is at ${launchUrl}`, fix)
  }
  const { hostname, port, protocol } = new URL(apiUrl)
  const number = Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    return sound('port', `commands ask ${apiUrl}, which is no address of this machine`)
  }
  return (await isFree(number))
    ? sound('port', `${number} is free`)
    : doubtful('port', `${number} is in use by another program`, 'augury serve --port N')
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The file was read before any command ran: what is broken stops the command itself. */
export function checkConfigFile(path: string): DoctorCheck {
  try {
    readFileSync(path)
    return sound('config file', path)
  } catch {
    return sound('config file', `none at ${path}; defaults are used`)
  }
}

/** Whether the key of this command line is good at the service that it is for. */
export async function checkKey(
  { apiKey }: Settings,
  client: Client,
  isRunning: boolean,
): Promise<DoctorCheck> {
  if (apiKey === null) return sound('key', 'none stored; reads need none')
  if (!isRunning) return sound('key', 'one is stored; no service to try it at')
  try {
    await client.get('/api/auth/me')
    return sound('key', 'it is accepted')
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return doubtful('key', message, 'augury login')
  }
}
