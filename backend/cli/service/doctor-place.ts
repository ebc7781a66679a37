import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import {
  failedCheck,
  warningCheck,
  passedCheck,
  type DoctorCheck,
} from '../../domain/doctor-check.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Client } from '../client.ts'
import type { Settings } from '../settings.ts'
import { parseJson, type ReadBody } from '../route.ts'

/**
 * A clock that differs from the file system's or the service's by more than this is reported, ms.
 */
const MAX_CLOCK_OFFSET = 5_000
/** 2025: the service did not exist before. */
const MIN_TIME = 1_735_689_600_000

/** Compares the clock with that of the running service, whose process may have seen it jump. */
export async function checkClock(clock: Clock, url: string | null): Promise<DoctorCheck> {
  const fix = 'Let the system set its clock from the network'
  const now = clock.now()
  if (now < MIN_TIME) return failedCheck('clock', 'it shows a time before 2025', fix)
  const startedAt = clock.monotonic()
  const serverTime = url === null ? null : await timeAt(url)
  const roundTrip = clock.monotonic() - startedAt
  const clockChange = clock.now() - now
  if (Math.abs(clockChange - roundTrip) > MAX_CLOCK_OFFSET)
    return warningCheck('clock', 'the clock just jumped', fix)
  if (serverTime === null) return passedCheck('clock', 'plausible; no service to compare it with')
  const clockOffset = Math.round(now - serverTime)
  if (Math.abs(clockOffset) > MAX_CLOCK_OFFSET + roundTrip)
    return warningCheck('clock', `${clockOffset} ms off the clock of the service`, fix)
  return passedCheck('clock', 'matches the service')
}

async function timeAt(url: string): Promise<number | null> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(3_000) })
    const { time } = parseJson((await response.text()) as ReadBody<'/api/health'>)
    const at = Date.parse(time)
    return Number.isFinite(at) ? at : null
  } catch {
    return null
  }
}

/** Checks whether the port that commands use belongs to the service, or is free for one. */
export async function checkPort(
  apiUrl: string,
  launchUrl: string | null,
  isRunning: boolean,
): Promise<DoctorCheck> {
  if (isRunning) {
    if (launchUrl === null || new URL(launchUrl).origin === new URL(apiUrl).origin) {
      return passedCheck('port', `the service answers at ${apiUrl}`)
    }
    const fix = 'Omit --api-url, or name the data folder of that service'
    return warningCheck('port', `commands use ${apiUrl}, but the service is at ${launchUrl}`, fix)
  }
  const { hostname, port, protocol } = new URL(apiUrl)
  const number = Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    return passedCheck('port', `commands use ${apiUrl}, which is not an address of this machine`)
  }
  return (await isFree(number))
    ? passedCheck('port', `${number} is free`)
    : warningCheck('port', `${number} is in use by another program`, 'augury serve --port N')
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The file was read before the command started: a broken one stops the command itself. */
export function checkConfigFile(path: string): DoctorCheck {
  try {
    readFileSync(path)
    return passedCheck('config file', path)
  } catch {
    return passedCheck('config file', `no file at ${path}; defaults apply`)
  }
}

/** Checks whether the service accepts the stored key of this command line. */
export async function checkKey(
  { apiKey }: Settings,
  client: Client,
  isRunning: boolean,
): Promise<DoctorCheck> {
  if (apiKey === null) return passedCheck('key', 'no key stored; reads need none')
  if (!isRunning) return passedCheck('key', 'a key is stored; no service to check it with')
  try {
    await client.get('/api/auth/me')
    return passedCheck('key', 'the service accepts it')
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return warningCheck('key', message, 'augury login')
  }
}
